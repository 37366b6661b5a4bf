// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Reads a Golem's phase and survival score
interface IVitalityOracle {
    /// @notice A Golem moved to a later phase, or its owner reset it.
    event PhaseTransition(bytes32 indexed golem, uint8 fromPhase, uint8 toPhase, uint16 survivalScore);
    event GolemRegistered(bytes32 indexed golem, address indexed owner, address indexed writer);
    event GolemDeregistered(bytes32 indexed golem);

    /// @notice Thrown when the caller may not write this row.
    error NotAuthorized(address caller);
    /// @notice Thrown when a phase would move backward.
    error PhaseNotMonotonic(uint8 current, uint8 proposed);
    /// @notice Thrown when the Golem does not exist or is dead.
    error GolemNotFound(bytes32 golem);

    /// @return registered whether the Golem is registered and alive
    /// @return phase 0 Thriving, 1 Stable, 2 Conservation, 3 Declining, 4 Terminal
    function getPhase(bytes32 golem) external view returns (bool registered, uint8 phase);

    function getState(bytes32 golem)
        external
        view
        returns (bool registered, uint8 phase, uint16 survivalScore, uint40 lastUpdate, address writer);
}

/// @title Reads whether a Golem is dreaming
interface IDreamOracle {
    event DreamChanged(bytes32 indexed golem, bool dreaming);

    function isDreaming(bytes32 golem) external view returns (bool);
}

/// @title Reads a Golem's emotional state
interface IDaimonOracle {
    event MoodChanged(bytes32 indexed golem, int8 pleasure, int8 arousal, int8 dominance);

    function getPAD(bytes32 golem) external view returns (int8 pleasure, int8 arousal, int8 dominance);
}

/// @title All three in one word: one read for every enforcer
interface IVitals is IVitalityOracle, IDreamOracle, IDaimonOracle {
    /// @return word the Golem's row, in the layout of the library `VitalSigns`; zero for an unknown Golem
    function vitalsOf(bytes32 golem) external view returns (uint256 word);
}

/// @title The write side of `GolemVitals`
/// @dev A row has two keepers. Its *writer* (the Golem's current key) posts by itself and can only narrow. Its *owner*
///      acts by EIP-712 signatures that anyone may submit: session executions come from the owner's account, so a call
///      by that account must never widen anything.
interface IGolemVitals is IVitals {
    /// @notice The writer of the row changed.
    event WriterChanged(bytes32 indexed golem, address indexed from, address indexed to);

    /// @notice Thrown when the id is taken, by a living Golem or a dead one.
    error AlreadyRegistered(bytes32 golem);
    /// @notice Thrown when the phase does not exist. Terminal is 4.
    error UnknownPhase(uint8 phase);
    /// @notice Thrown when a survival score exceeds 10000.
    error ScoreTooHigh(uint16 score);
    /// @notice Thrown when pleasure, arousal or dominance is outside -100 to 100.
    error MoodOutOfRange(int8 pleasure, int8 arousal, int8 dominance);
    /// @notice Thrown when the writer would be the zero address.
    error WriterIsZero(bytes32 golem);
    /// @notice Thrown when the signature is not by this signer over exactly this contract, chain and arguments.
    error InvalidSignature(address signer);
    /// @notice Thrown when the deadline of the signature has passed.
    error SignatureExpired(uint256 deadline, uint256 timestamp);
    /// @notice Thrown when the owner's signature was already used, or an earlier one is not used yet.
    error WrongNonce(bytes32 golem, uint256 expected, uint256 given);

    /// @notice The id of a Golem. It depends on its owner and its first key, so another owner cannot take it.
    function golemId(address owner, address firstKey, bytes32 salt) external pure returns (bytes32);

    /// @notice The nonce that the owner's next signature about this Golem must carry.
    function nonces(bytes32 golem) external view returns (uint256);

    /// @notice Starts a row: Thriving, score 10000, awake, mood 0. Anyone may submit it.
    /// @param key the Golem's first key, an EOA or a (deployed) ERC-1271 account; it becomes the writer
    /// @param signature by `key`, over `RegisterGolem(address owner,address key,bytes32 salt)`
    function register(address owner, address key, bytes32 salt, bytes calldata signature)
        external
        returns (bytes32 golem);

    /// @notice Posts everything at once. Only the writer may call this and the next five functions. Each counts as a
    ///         heartbeat.
    function publish(
        bytes32 golem,
        uint8 phase,
        uint16 survivalScore,
        bool dreaming,
        int8 pleasure,
        int8 arousal,
        int8 dominance
    ) external;

    function post(bytes32 golem, uint8 phase, uint16 survivalScore) external;

    function setDreaming(bytes32 golem, bool dreaming) external;

    function setMood(bytes32 golem, int8 pleasure, int8 arousal, int8 dominance) external;

    /// @notice Posts a heartbeat and changes nothing else.
    function heartbeat(bytes32 golem) external;

    /// @notice Makes another key the writer; the caller no longer is.
    function handOver(bytes32 golem, address newWriter) external;

    /// @notice Ends the Golem: the row is dead permanently. Its last phase stays readable. Writer only.
    function deregister(bytes32 golem) external;

    /// @notice The same by the owner, as the caller.
    function deregisterAsOwner(address firstKey, bytes32 salt) external;

    /// @notice The same by the owner's signature over `DeregisterGolem(bytes32 golem,uint256 deadline)`.
    /// @dev Without a nonce: it can only take effect once, and an owner can sign it in advance as a kill switch that no
    ///      later reset invalidates.
    function deregisterWithSignature(
        address owner,
        address firstKey,
        bytes32 salt,
        uint256 deadline,
        bytes calldata signature
    ) external;

    /// @notice The owner sets the phase, also backwards, by a signature over `ResetPhase(bytes32 golem,uint8
    ///         phase,uint256 nonce,uint256 deadline)`. A dead Golem stays dead.
    /// @dev Not a heartbeat: the time of the last heartbeat and the score do not change.
    function resetPhase(
        address owner,
        address firstKey,
        bytes32 salt,
        uint8 phase,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external;

    /// @notice The owner appoints a writer, if the last one was lost or stolen, by a signature over
    ///         `ResetWriter(bytes32 golem,address writer,uint256 nonce,uint256 deadline)`.
    /// @dev Without it a lost key would force a new id, and so a new lineage with a second budget.
    function resetWriter(
        address owner,
        address firstKey,
        bytes32 salt,
        address newWriter,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external;
}
