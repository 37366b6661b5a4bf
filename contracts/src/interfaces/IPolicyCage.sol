// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Constitutions: what an owner's Golems may hold and spend
/// @notice A constitution is known by the hash of its content. Whoever has the hash has the text: nobody can rewrite it, and
///         enforcers take the hash from the terms the owner signed.
/// @dev `is…` answers, `check…` reverts with the numbers.
interface IPolicyCage {
    struct AssetLimit {
        address asset;
        /// @dev The largest share of the whole portfolio. Zero: it may be sold, not held.
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
        /// @dev The hash of the text that a person reads; zero where there is none.
        bytes32 document;
    }

    /// @notice A constitution can be adopted and signed from now on.
    event ConstitutionEnacted(bytes32 indexed hash, Constitution constitution);
    /// @notice An owner's Golems are expected to boot under this constitution.
    event ConstitutionAdopted(address indexed owner, bytes32 indexed previous, bytes32 indexed hash);

    /// @notice Nobody enacted a constitution of this hash.
    error ConstitutionNotFound(bytes32 hash);
    /// @notice At most 16 assets.
    error TooManyAssets(uint256 count);
    /// @notice Assets come in ascending order, each once, and none is zero.
    error AssetsNotSorted(address previous, address asset);
    /// @notice A share or a drawdown is at most 10000 basis points.
    error BpsTooHigh(uint256 bps);
    /// @notice A transaction limit above the limit of its session or its day promises what can never be spent.
    error LimitsContradict(uint64 perTxCents, uint64 perSessionCents, uint64 perDayCents);
    /// @notice A session lasts at least a second.
    error SessionIsZero();

    /// @notice The constitution does not approve this asset, or does not exist.
    error AssetNotApproved(bytes32 hash, address asset);
    /// @notice The asset would be a larger share of the portfolio than the constitution allows.
    error ConcentrationExceeded(address asset, uint256 valueCents, uint256 totalCents, uint256 maxShareBps);
    /// @notice More than one transaction may spend.
    error TransactionLimitExceeded(uint256 cents, uint256 limitCents);
    /// @notice More than one session may spend.
    error SessionLimitExceeded(uint256 cents, uint256 limitCents);
    /// @notice More than one day may spend.
    error DayLimitExceeded(uint256 cents, uint256 limitCents);
    /// @notice The portfolio lost more of its highest value than the constitution allows.
    error DrawdownExceeded(uint256 highWaterCents, uint256 nowCents, uint256 maxDrawdownBps);

    /// @notice Stores a constitution under the hash of its ABI encoding. Anyone may, and once is enough: enacting the same
    ///         again changes nothing and does not fail, so that nobody can make an owner's transaction fail by being first.
    function enact(Constitution calldata constitution) external returns (bytes32 hash);

    /// @notice Points the caller's Golems to a constitution. The runtime compares it at boot. **Enforcers do not trust it**:
    ///         executions come from the owner's account, which could be made to adopt another.
    function adopt(bytes32 hash) external;

    /// @notice What an owner adopted last; zero for none.
    function constitutionHash(address owner) external view returns (bytes32);

    /// @notice The whole constitution; hashing its ABI encoding gives `hash` again.
    function constitutionOf(bytes32 hash) external view returns (Constitution memory);

    /// @notice Limits in one read, for enforcers that keep the sums.
    function limitsOf(bytes32 hash) external view returns (Limits memory);

    /// @return whether the constitution approves the asset; no for a constitution that does not exist
    function isApprovedAsset(bytes32 hash, address asset) external view returns (bool);

    /// @notice The asset is approved and its value is within its share of the total.
    function checkConcentration(bytes32 hash, address asset, uint256 valueCents, uint256 totalCents) external view;

    /// @notice What this transaction, this session and this day spend, this transaction counted in all three.
    function checkSpendingLimit(bytes32 hash, uint256 txCents, uint256 sessionCents, uint256 dayCents) external view;

    /// @notice The portfolio's value now against its highest value so far.
    function checkDrawdown(bytes32 hash, uint256 highWaterCents, uint256 nowCents) external view;
}
