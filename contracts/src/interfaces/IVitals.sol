// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The spec's VitalityOracle
interface IVitalityOracle {
    /// @notice A Golem moved to a later phase, or its owner reset it.
    event PhaseTransition(bytes32 indexed golem, uint8 fromPhase, uint8 toPhase, uint16 survivalScore);
    event GolemRegistered(bytes32 indexed golem, address indexed owner, address indexed writer);
    event GolemDeregistered(bytes32 indexed golem);

    /// @notice The caller may not write this row.
    error NotAuthorized(address caller);
    /// @notice A phase only moves forward.
    error PhaseNotMonotonic(uint8 current, uint8 proposed);
    /// @notice No such Golem, or it is dead.
    error GolemNotFound(bytes32 golem);

    /// @return registered whether the Golem is registered and alive
    /// @return phase 0 Thriving, 1 Stable, 2 Conservation, 3 Declining, 4 Terminal
    function getPhase(bytes32 golem) external view returns (bool registered, uint8 phase);

    function getState(bytes32 golem)
        external
        view
        returns (bool registered, uint8 phase, uint16 survivalScore, uint40 lastUpdate, address writer);
}

/// @title The spec's DreamOracle
interface IDreamOracle {
    event DreamChanged(bytes32 indexed golem, bool dreaming);

    function isDreaming(bytes32 golem) external view returns (bool);
}

/// @title The spec's DaimonOracle
interface IDaimonOracle {
    event MoodChanged(bytes32 indexed golem, int8 pleasure, int8 arousal, int8 dominance);

    function getPAD(bytes32 golem) external view returns (int8 pleasure, int8 arousal, int8 dominance);
}

/// @title All three in one word: one read serves every enforcer
interface IVitals is IVitalityOracle, IDreamOracle, IDaimonOracle {
    /// @return word the Golem's row, to be read with the library `VitalSigns`; zero for an unknown Golem
    function vitalsOf(bytes32 golem) external view returns (uint256 word);
}

/// @title The write side of `GolemVitals`
/// @dev A row has two keepers. Its *writer* (the Golem's current key) posts as itself and only ever narrows. Its *owner*
///      acts by EIP-712 signatures that anyone may submit: session executions come from the owner's account, so being
///      called by that account must never widen anything.
interface IGolemVitals is IVitals {
    /// @notice Another key writes the row from now on.
    event WriterChanged(bytes32 indexed golem, address indexed from, address indexed to);

    /// @notice The id is taken, by a living Golem or by a dead one: neither starts again as Thriving.
    error AlreadyRegistered(bytes32 golem);
    /// @notice There is no such phase; Terminal is 4.
    error UnknownPhase(uint8 phase);
    /// @notice A survival score is at most 10000.
    error ScoreTooHigh(uint16 score);
    /// @notice Pleasure, arousal and dominance are each within −100…100.
    error MoodOutOfRange(int8 pleasure, int8 arousal, int8 dominance);
    /// @notice A row always has somebody who can write it.
    error WriterIsZero(bytes32 golem);
    /// @notice The signature is not this signer's, or not over exactly this (contract, chain and every argument).
    error InvalidSignature(address signer);
    /// @notice The signature came too late.
    error SignatureExpired(uint256 deadline, uint256 timestamp);
    /// @notice The owner's signature was used already, or one signed before it has yet to be used.
    error WrongNonce(bytes32 golem, uint256 expected, uint256 given);

    /// @notice The id of a Golem. It names its owner and its first key, so nobody else can take it.
    function golemId(address owner, address firstKey, bytes32 salt) external pure returns (bytes32);

    /// @notice The nonce that the owner's next signature about this Golem must carry.
    function nonces(bytes32 golem) external view returns (uint256);

    /// @notice Starts a row: Thriving, score 10000, awake, mood 0. Anyone may submit it.
    /// @param key the Golem's first key, an EOA or a (deployed) ERC-1271 account; it becomes the writer
    /// @param signature by `key`, over `RegisterGolem(address owner,address key,bytes32 salt)`
    function register(address owner, address key, bytes32 salt, bytes calldata signature)
        external
        returns (bytes32 golem);

    /// @notice Posts everything at once. Writer only, and so are the next five. Each of them counts as a heartbeat.
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

    /// @notice Says "still here" and changes nothing else.
    function heartbeat(bytes32 golem) external;

    /// @notice Makes another key the writer; the caller is none any more.
    function handOver(bytes32 golem, address newWriter) external;

    /// @notice The Golem surrenders: the row is dead for good. Its last phase stays readable. Writer only.
    function deregister(bytes32 golem) external;

    /// @notice The same by the owner, calling as itself.
    function deregisterAsOwner(address firstKey, bytes32 salt) external;

    /// @notice The same by the owner's signature over `DeregisterGolem(bytes32 golem,uint256 deadline)`.
    /// @dev No nonce: it works once by its nature, and an owner can sign it ahead and keep it as a kill switch that no
    ///      later reset makes void.
    function deregisterWithSignature(
        address owner,
        address firstKey,
        bytes32 salt,
        uint256 deadline,
        bytes calldata signature
    ) external;

    /// @notice The owner sets the phase, backwards too, by a signature over
    ///         `ResetPhase(bytes32 golem,uint8 phase,uint256 nonce,uint256 deadline)`. A dead Golem stays dead.
    /// @dev No sign of life from the Golem: the time of its last heartbeat and its score stay as they are.
    function resetPhase(
        address owner,
        address firstKey,
        bytes32 salt,
        uint8 phase,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external;

    /// @notice The owner appoints a writer, where the last one was lost or stolen, by a signature over
    ///         `ResetWriter(bytes32 golem,address writer,uint256 nonce,uint256 deadline)`.
    /// @dev Without it a lost key would force a new id, hence a new lineage and a second budget.
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
