// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {IPolicyCage} from "../../src/interfaces/IPolicyCage.sol";
import {PolicyCage} from "../../src/policy/PolicyCage.sol";

contract PolicyCageTest is Test {
    PolicyCage private cage;
    bytes32 private hash;

    address private constant USDC = address(0x1111);
    address private constant WETH = address(0x2222);
    address private account = makeAddr("account");

    function setUp() public {
        cage = new PolicyCage();
        hash = cage.enact(_constitution());
    }

    // ---- enact

    function test_enact_isKnownByItsContent() public {
        IPolicyCage.Constitution memory other = _constitution();
        other.document = keccak256("another text");
        bytes32 expected = keccak256(abi.encode(other));
        vm.expectEmit(address(cage));
        emit IPolicyCage.ConstitutionEnacted(expected, other);
        vm.prank(makeAddr("anyone"));
        assertEq(cage.enact(other), expected);
        assertNotEq(expected, hash);
    }

    function test_enact_canBeReadBackAndHashedAgain(
        uint256 count,
        bytes32 seed,
        uint64[3] memory cents,
        uint32 sessionSeconds,
        uint16 drawdownBps,
        bytes32 document
    ) public {
        IPolicyCage.Constitution memory constitution = _constitution();
        constitution.assets = _assets(bound(count, 0, 16), seed);
        constitution.limits = _limits(cents, sessionSeconds, drawdownBps);
        constitution.document = document;
        bytes32 id = cage.enact(constitution);
        assertEq(keccak256(abi.encode(cage.constitutionOf(id))), id);
        assertEq(abi.encode(cage.limitsOf(id)), abi.encode(constitution.limits));
        for (uint256 i; i < constitution.assets.length; i++) {
            assertTrue(cage.isApprovedAsset(id, constitution.assets[i].asset));
        }
    }

    /// Enacting an owner's constitution before the owner must not make the owner's transaction fail.
    function test_enact_againChangesNothing() public {
        vm.recordLogs();
        vm.prank(makeAddr("first"));
        assertEq(cage.enact(_constitution()), hash);
        assertEq(vm.getRecordedLogs().length, 0);
        assertEq(cage.constitutionOf(hash).assets.length, 2);
    }

    /// Another constitution has another hash; the one with the signed hash does not change.
    function test_enact_accountCannotRewriteAConstitution(uint64 more, uint16 bps) public {
        IPolicyCage.Constitution memory wider = _constitution();
        wider.limits.perDayCents = uint64(bound(more, wider.limits.perDayCents + 1, type(uint64).max));
        wider.assets[1].maxShareBps = uint16(bound(bps, 0, 10_000));
        vm.startPrank(account);
        bytes32 widerHash = cage.enact(wider);
        cage.adopt(widerHash);
        assertNotEq(widerHash, hash);
        assertEq(abi.encode(cage.constitutionOf(hash)), abi.encode(_constitution()));
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.DayLimitExceeded.selector, 100_001, 100_000));
        cage.checkSpendingLimit(hash, 0, 0, 100_001);
    }

    function test_enact_revert_tooManyAssets() public {
        IPolicyCage.Constitution memory constitution = _constitution();
        constitution.assets = _assets(17, "");
        _expectRefused(constitution, abi.encodeWithSelector(IPolicyCage.TooManyAssets.selector, 17));
    }

    function test_enact_revert_assetTwice() public {
        IPolicyCage.Constitution memory constitution = _constitution();
        constitution.assets[1].asset = USDC;
        _expectRefused(constitution, abi.encodeWithSelector(IPolicyCage.AssetsNotSorted.selector, USDC, USDC));
    }

    function test_enact_revert_assetsNotSorted() public {
        IPolicyCage.Constitution memory constitution = _constitution();
        (constitution.assets[0].asset, constitution.assets[1].asset) = (WETH, USDC);
        _expectRefused(constitution, abi.encodeWithSelector(IPolicyCage.AssetsNotSorted.selector, WETH, USDC));
    }

    function test_enact_revert_zeroAsset() public {
        IPolicyCage.Constitution memory constitution = _constitution();
        constitution.assets[0].asset = address(0);
        _expectRefused(
            constitution, abi.encodeWithSelector(IPolicyCage.AssetsNotSorted.selector, address(0), address(0))
        );
    }

    function test_enact_revert_shareAboveTheWhole(uint16 bps) public {
        bps = uint16(bound(bps, 10_001, type(uint16).max));
        IPolicyCage.Constitution memory constitution = _constitution();
        constitution.assets[1].maxShareBps = bps;
        _expectRefused(constitution, abi.encodeWithSelector(IPolicyCage.BpsTooHigh.selector, bps));
    }

    function test_enact_revert_drawdownAboveTheWhole(uint16 bps) public {
        bps = uint16(bound(bps, 10_001, type(uint16).max));
        IPolicyCage.Constitution memory constitution = _constitution();
        constitution.limits.maxDrawdownBps = bps;
        _expectRefused(constitution, abi.encodeWithSelector(IPolicyCage.BpsTooHigh.selector, bps));
    }

    function test_enact_revert_transactionAboveItsSession() public {
        IPolicyCage.Constitution memory constitution = _constitution();
        constitution.limits.perSessionCents = 9_999;
        _expectRefused(
            constitution, abi.encodeWithSelector(IPolicyCage.LimitsContradict.selector, 10_000, 9_999, 100_000)
        );
    }

    function test_enact_revert_transactionAboveItsDay() public {
        IPolicyCage.Constitution memory constitution = _constitution();
        constitution.limits.perDayCents = 9_999;
        _expectRefused(
            constitution, abi.encodeWithSelector(IPolicyCage.LimitsContradict.selector, 10_000, 50_000, 9_999)
        );
    }

    function test_enact_revert_noSession() public {
        IPolicyCage.Constitution memory constitution = _constitution();
        constitution.limits.sessionSeconds = 0;
        _expectRefused(constitution, abi.encodeWithSelector(IPolicyCage.SessionIsZero.selector));
    }

    // ---- adopt

    function test_adopt_pointsTheCallerOnly() public {
        assertEq(cage.constitutionHash(account), 0);
        vm.expectEmit(address(cage));
        emit IPolicyCage.ConstitutionAdopted(account, 0, hash);
        vm.prank(account);
        cage.adopt(hash);
        assertEq(cage.constitutionHash(account), hash);
        assertEq(cage.constitutionHash(address(this)), 0);

        IPolicyCage.Constitution memory other = _constitution();
        other.limits.maxDrawdownBps = 1;
        bytes32 next = cage.enact(other);
        vm.expectEmit(address(cage));
        emit IPolicyCage.ConstitutionAdopted(account, hash, next);
        vm.prank(account);
        cage.adopt(next);
        assertEq(cage.constitutionHash(account), next);
    }

    function test_adopt_revert_unknown(bytes32 unknown) public {
        vm.assume(unknown != hash);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.ConstitutionNotFound.selector, unknown));
        cage.adopt(unknown);
    }

    // ---- the four checks

    function test_isApprovedAsset(address asset) public view {
        assertEq(cage.isApprovedAsset(hash, asset), asset == USDC || asset == WETH);
        assertTrue(cage.isApprovedAsset(hash, USDC));
        assertTrue(cage.isApprovedAsset(hash, WETH));
    }

    function test_check_revert_unknownConstitution(bytes32 unknown) public {
        vm.assume(unknown != hash);
        assertFalse(cage.isApprovedAsset(unknown, USDC));
        bytes memory notFound = abi.encodeWithSelector(IPolicyCage.ConstitutionNotFound.selector, unknown);
        vm.expectRevert(notFound);
        cage.checkSpendingLimit(unknown, 0, 0, 0);
        vm.expectRevert(notFound);
        cage.checkDrawdown(unknown, 0, 0);
        vm.expectRevert(notFound);
        cage.constitutionOf(unknown);
        vm.expectRevert(notFound);
        cage.limitsOf(unknown);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.AssetNotApproved.selector, unknown, USDC));
        cage.checkConcentration(unknown, USDC, 0, 0);
    }

    function test_checkConcentration_revert_assetNotApproved(address asset) public {
        vm.assume(asset != USDC && asset != WETH);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.AssetNotApproved.selector, hash, asset));
        cage.checkConcentration(hash, asset, 0, 1);
    }

    function test_checkConcentration(uint128 value, uint128 total) public {
        // A fifth, compared without a product: value ≤ total / 5 (as whole numbers: five times the value ≤ total).
        if (uint256(value) * 5 > total) {
            vm.expectRevert(
                abi.encodeWithSelector(IPolicyCage.ConcentrationExceeded.selector, WETH, value, total, 2_000)
            );
        }
        cage.checkConcentration(hash, WETH, value, total);
    }

    function test_checkConcentration_exactlyAtTheLimit() public {
        cage.checkConcentration(hash, WETH, 2_000, 10_000);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.ConcentrationExceeded.selector, WETH, 2_001, 10_000, 2_000));
        cage.checkConcentration(hash, WETH, 2_001, 10_000);
    }

    /// An asset with a share of zero may be sold, but not held.
    function test_checkConcentration_revert_shareOfZero(uint128 value) public {
        value = uint128(bound(value, 1, type(uint128).max));
        IPolicyCage.Constitution memory constitution = _constitution();
        constitution.assets[0].maxShareBps = 0;
        bytes32 id = cage.enact(constitution);
        assertTrue(cage.isApprovedAsset(id, USDC));
        cage.checkConcentration(id, USDC, 0, 0);
        vm.expectRevert(
            abi.encodeWithSelector(IPolicyCage.ConcentrationExceeded.selector, USDC, value, type(uint128).max, 0)
        );
        cage.checkConcentration(id, USDC, value, type(uint128).max);
    }

    function test_checkSpendingLimit(uint256 txCents, uint256 sessionCents, uint256 dayCents) public {
        txCents = bound(txCents, 0, 20_000);
        sessionCents = bound(sessionCents, 0, 100_000);
        dayCents = bound(dayCents, 0, 200_000);
        if (txCents > 10_000) {
            vm.expectRevert(abi.encodeWithSelector(IPolicyCage.TransactionLimitExceeded.selector, txCents, 10_000));
        } else if (sessionCents > 50_000) {
            vm.expectRevert(abi.encodeWithSelector(IPolicyCage.SessionLimitExceeded.selector, sessionCents, 50_000));
        } else if (dayCents > 100_000) {
            vm.expectRevert(abi.encodeWithSelector(IPolicyCage.DayLimitExceeded.selector, dayCents, 100_000));
        }
        cage.checkSpendingLimit(hash, txCents, sessionCents, dayCents);
    }

    function test_checkSpendingLimit_exactlyAtTheLimits() public {
        cage.checkSpendingLimit(hash, 10_000, 50_000, 100_000);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.TransactionLimitExceeded.selector, 10_001, 10_000));
        cage.checkSpendingLimit(hash, 10_001, 50_000, 100_000);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.SessionLimitExceeded.selector, 50_001, 50_000));
        cage.checkSpendingLimit(hash, 10_000, 50_001, 100_000);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.DayLimitExceeded.selector, 100_001, 100_000));
        cage.checkSpendingLimit(hash, 10_000, 50_000, 100_001);
    }

    function test_checkDrawdown(uint128 highWater, uint128 nowCents) public {
        // A tenth: nine tenths of the highest value must be left.
        if (uint256(nowCents) * 10 < uint256(highWater) * 9) {
            vm.expectRevert(abi.encodeWithSelector(IPolicyCage.DrawdownExceeded.selector, highWater, nowCents, 1_000));
        }
        cage.checkDrawdown(hash, highWater, nowCents);
    }

    function test_checkDrawdown_exactlyAtTheLimit() public {
        cage.checkDrawdown(hash, 1_000, 900);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.DrawdownExceeded.selector, 1_000, 899, 1_000));
        cage.checkDrawdown(hash, 1_000, 899);
    }

    /// Numbers too large to multiply are refused, not wrapped around.
    function test_check_revert_overflow() public {
        vm.expectRevert();
        cage.checkConcentration(hash, WETH, type(uint256).max, type(uint256).max);
        vm.expectRevert();
        cage.checkDrawdown(hash, type(uint256).max, 0);
    }

    // ---- constitutions

    function _constitution() private pure returns (IPolicyCage.Constitution memory constitution) {
        constitution.assets = new IPolicyCage.AssetLimit[](2);
        constitution.assets[0] = IPolicyCage.AssetLimit(USDC, 10_000);
        constitution.assets[1] = IPolicyCage.AssetLimit(WETH, 2_000);
        constitution.limits = IPolicyCage.Limits(10_000, 50_000, 100_000, 1 days, 1_000);
        constitution.document = keccak256("We hold these limits to be self-evident.");
    }

    function _assets(uint256 count, bytes32 seed) private pure returns (IPolicyCage.AssetLimit[] memory assets) {
        assets = new IPolicyCage.AssetLimit[](count);
        uint160 asset;
        for (uint256 i; i < count; i++) {
            seed = keccak256(abi.encode(seed));
            asset += 1 + uint128(uint256(seed));
            assets[i] = IPolicyCage.AssetLimit(address(asset), uint16(uint256(seed >> 200) % 10_001));
        }
    }

    function _limits(uint64[3] memory cents, uint32 sessionSeconds, uint16 drawdownBps)
        private
        pure
        returns (IPolicyCage.Limits memory limits)
    {
        limits.perTxCents = cents[0];
        limits.perSessionCents = uint64(bound(cents[1], cents[0], type(uint64).max));
        limits.perDayCents = uint64(bound(cents[2], cents[0], type(uint64).max));
        limits.sessionSeconds = uint32(bound(sessionSeconds, 1, type(uint32).max));
        limits.maxDrawdownBps = uint16(bound(drawdownBps, 0, 10_000));
    }

    function _expectRefused(IPolicyCage.Constitution memory constitution, bytes memory revertData) private {
        vm.expectRevert(revertData);
        cage.enact(constitution);
    }
}
