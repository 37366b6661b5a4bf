// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPolicyCage} from "../interfaces/IPolicyCage.sol";

/// @title Stores constitutions
contract PolicyCage is IPolicyCage {
    uint256 private constant MAX_ASSETS = 16;
    uint256 private constant WHOLE_BPS = 10_000;

    /// @dev One slot.
    struct Share {
        bool approved;
        uint16 maxBps;
    }

    /// @dev A session length of zero marks a constitution that does not exist.
    mapping(bytes32 hash => Limits) private _limits;
    /// @dev For checks: one read, whatever the length of the list.
    mapping(bytes32 hash => mapping(address asset => Share)) private _shares;
    /// @dev For reading the whole constitution.
    mapping(bytes32 hash => address[]) private _assets;
    mapping(bytes32 hash => bytes32) private _documents;

    /// @inheritdoc IPolicyCage
    mapping(address owner => bytes32 hash) public constitutionHash;

    /// @inheritdoc IPolicyCage
    function enact(Constitution calldata constitution) external returns (bytes32 hash) {
        hash = keccak256(abi.encode(constitution));
        if (_limits[hash].sessionSeconds != 0) return hash;
        _requireSensible(constitution);

        _limits[hash] = constitution.limits;
        for (uint256 i; i < constitution.assets.length; i++) {
            AssetLimit calldata limit = constitution.assets[i];
            _shares[hash][limit.asset] = Share({approved: true, maxBps: limit.maxShareBps});
            _assets[hash].push(limit.asset);
        }
        _documents[hash] = constitution.document;
        emit ConstitutionEnacted(hash, constitution);
    }

    /// @inheritdoc IPolicyCage
    function adopt(bytes32 hash) external {
        _existing(hash);
        emit ConstitutionAdopted(msg.sender, constitutionHash[msg.sender], hash);
        constitutionHash[msg.sender] = hash;
    }

    /// @inheritdoc IPolicyCage
    function constitutionOf(bytes32 hash) external view returns (Constitution memory) {
        Limits memory limits = _existing(hash);
        address[] memory assets = _assets[hash];
        AssetLimit[] memory assetLimits = new AssetLimit[](assets.length);
        for (uint256 i; i < assets.length; i++) {
            assetLimits[i] = AssetLimit(assets[i], _shares[hash][assets[i]].maxBps);
        }
        return Constitution({assets: assetLimits, limits: limits, document: _documents[hash]});
    }

    /// @inheritdoc IPolicyCage
    function limitsOf(bytes32 hash) external view returns (Limits memory) {
        return _existing(hash);
    }

    /// @inheritdoc IPolicyCage
    function isApprovedAsset(bytes32 hash, address asset) external view returns (bool) {
        return _shares[hash][asset].approved;
    }

    /// @inheritdoc IPolicyCage
    function checkConcentration(bytes32 hash, address asset, uint256 valueCents, uint256 totalCents) external view {
        Share memory share = _shares[hash][asset];
        if (!share.approved) revert AssetNotApproved(hash, asset);
        if (valueCents * WHOLE_BPS > totalCents * share.maxBps) {
            revert ConcentrationExceeded(asset, valueCents, totalCents, share.maxBps);
        }
    }

    /// @inheritdoc IPolicyCage
    function checkSpendingLimit(bytes32 hash, uint256 txCents, uint256 sessionCents, uint256 dayCents) external view {
        Limits memory limits = _existing(hash);
        if (txCents > limits.perTxCents) revert TransactionLimitExceeded(txCents, limits.perTxCents);
        if (sessionCents > limits.perSessionCents) revert SessionLimitExceeded(sessionCents, limits.perSessionCents);
        if (dayCents > limits.perDayCents) revert DayLimitExceeded(dayCents, limits.perDayCents);
    }

    /// @inheritdoc IPolicyCage
    function checkDrawdown(bytes32 hash, uint256 highWaterCents, uint256 nowCents) external view {
        uint256 maxBps = _existing(hash).maxDrawdownBps;
        if (nowCents >= highWaterCents) return;
        if ((highWaterCents - nowCents) * WHOLE_BPS > highWaterCents * maxBps) {
            revert DrawdownExceeded(highWaterCents, nowCents, maxBps);
        }
    }

    function _existing(bytes32 hash) private view returns (Limits memory limits) {
        limits = _limits[hash];
        if (limits.sessionSeconds == 0) revert ConstitutionNotFound(hash);
    }

    function _requireSensible(Constitution calldata constitution) private pure {
        Limits calldata limits = constitution.limits;
        if (limits.perTxCents > limits.perSessionCents || limits.perTxCents > limits.perDayCents) {
            revert LimitsContradict(limits.perTxCents, limits.perSessionCents, limits.perDayCents);
        }
        if (limits.sessionSeconds == 0) revert SessionIsZero();
        if (limits.maxDrawdownBps > WHOLE_BPS) revert BpsTooHigh(limits.maxDrawdownBps);
        if (constitution.assets.length > MAX_ASSETS) revert TooManyAssets(constitution.assets.length);

        address previous;
        for (uint256 i; i < constitution.assets.length; i++) {
            AssetLimit calldata limit = constitution.assets[i];
            // Strictly ascending from zero: sorted, unique and without zero. One list has one hash.
            if (limit.asset <= previous) revert AssetsNotSorted(previous, limit.asset);
            if (limit.maxShareBps > WHOLE_BPS) revert BpsTooHigh(limit.maxShareBps);
            previous = limit.asset;
        }
    }
}
