// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Constitutions: what an owner's Golems may hold and spend
/// @notice A constitution is identified by the hash of its content, so it cannot be changed, and enforcers take the
///         hash from the terms that the owner signed.
/// @dev `is…` returns a result, `check…` reverts with the numbers.
interface IPolicyCage {
    struct AssetLimit {
        address asset;
        /// @dev Maximum share of the whole portfolio. Zero: the asset may be sold but not held.
        uint16 maxShareBps;
    }

    /// @dev One slot. Cents are US cents; zero means that nothing may be spent, not that there is no limit.
    struct Limits {
        uint64 perTxCents;
        uint64 perSessionCents;
        uint64 perDayCents;
        uint32 sessionSeconds;
        uint16 maxDrawdownBps;
    }

    struct Constitution {
        /// @dev In ascending order, each once, at most 16.
        AssetLimit[] assets;
        Limits limits;
        /// @dev The hash of the human-readable text; zero if there is none.
        bytes32 document;
    }

    /// @notice A constitution was enacted: it can be adopted and signed.
    event ConstitutionEnacted(bytes32 indexed hash, Constitution constitution);
    /// @notice An owner's Golems must now boot under this constitution.
    event ConstitutionAdopted(address indexed owner, bytes32 indexed previous, bytes32 indexed hash);

    /// @notice Thrown when no constitution with this hash was enacted.
    error ConstitutionNotFound(bytes32 hash);
    /// @notice Thrown when a constitution names more than 16 assets.
    error TooManyAssets(uint256 count);
    /// @notice Thrown when assets are not in strictly ascending order from zero.
    error AssetsNotSorted(address previous, address asset);
    /// @notice Thrown when a share or a drawdown exceeds 10000 basis points.
    error BpsTooHigh(uint256 bps);
    /// @notice Thrown when the limit of a transaction exceeds the limit of its session or its day.
    error LimitsContradict(uint64 perTxCents, uint64 perSessionCents, uint64 perDayCents);
    /// @notice Thrown when the length of a session is zero.
    error SessionIsZero();

    /// @notice Thrown when the constitution does not approve this asset, or does not exist.
    error AssetNotApproved(bytes32 hash, address asset);
    /// @notice Thrown when the asset's share of the portfolio would exceed the constitution's limit. Both values are in
    ///         the caller's unit.
    error ConcentrationExceeded(address asset, uint256 valueCents, uint256 totalCents, uint256 maxShareBps);
    /// @notice Thrown when one transaction spends more than the constitution allows.
    error TransactionLimitExceeded(uint256 cents, uint256 limitCents);
    /// @notice Thrown when one session spends more than the constitution allows.
    error SessionLimitExceeded(uint256 cents, uint256 limitCents);
    /// @notice Thrown when one day spends more than the constitution allows.
    error DayLimitExceeded(uint256 cents, uint256 limitCents);
    /// @notice Thrown when the portfolio fell further below its highest value than the constitution allows.
    error DrawdownExceeded(uint256 highWaterCents, uint256 nowCents, uint256 maxDrawdownBps);

    /// @notice Stores a constitution under the hash of its ABI encoding. Anyone may call it. Enacting the same
    ///         constitution again changes nothing and does not revert, so that front-running cannot make an owner's
    ///         transaction fail.
    function enact(Constitution calldata constitution) external returns (bytes32 hash);

    /// @notice Points the caller's Golems to a constitution. The runtime compares it at boot. **Enforcers do not trust
    ///         it**: executions come from the owner's account, which could be made to adopt another.
    function adopt(bytes32 hash) external;

    /// @notice The constitution that an owner adopted last; zero for none.
    function constitutionHash(address owner) external view returns (bytes32);

    /// @notice The whole constitution; the hash of its ABI encoding is `hash`.
    function constitutionOf(bytes32 hash) external view returns (Constitution memory);

    /// @notice The limits in one read, for enforcers that keep the sums.
    function limitsOf(bytes32 hash) external view returns (Limits memory);

    /// @return whether the constitution approves the asset; false for a constitution that does not exist
    function isApprovedAsset(bytes32 hash, address asset) external view returns (bool);

    /// @notice Reverts unless the asset is approved and its value is within its share of the total.
    function checkConcentration(bytes32 hash, address asset, uint256 valueCents, uint256 totalCents) external view;

    /// @notice Reverts unless the spending of this transaction, session and day is within the limits. All three include
    ///         this transaction.
    function checkSpendingLimit(bytes32 hash, uint256 txCents, uint256 sessionCents, uint256 dayCents) external view;

    /// @notice Reverts if the portfolio's value is too far below its highest value.
    function checkDrawdown(bytes32 hash, uint256 highWaterCents, uint256 nowCents) external view;
}
