// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld} from "../CageWorld.sol";
import {Delegation, Execution, ISwapRouter02} from "../Framework.sol";
import {CageEnforcer} from "../../src/enforcers/CageEnforcer.sol";
import {CaveatEnforcer} from "../../src/enforcers/CaveatEnforcer.sol";
import {IPolicyCage} from "../../src/interfaces/IPolicyCage.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";

/// @title The Cage's section for a constitution, through the real manager
contract CageConstitutionTest is CageWorld {
    bytes32 private constitution;

    /// @dev 10,000 dollars in USDC and nothing in WETH; half of it may become WETH, in steps of 500, 800 an hour.
    function setUp() public override {
        super.setUp();
        deal(address(usdc), account, 10_000e6);
        deal(address(weth), account, 0);
        constitution = _enact(5_000, 2_000);
    }

    function test_constitution_passesWithin() public {
        _swap(_governed(constitution), 500e6);
        CageEnforcer.State memory state = cage.lineageState(account, GOLEM, constitution, 0);
        assertEq(state.session.cents, 500_00);
        assertEq(state.session.start, block.timestamp);
        assertEq(_spentCents(account, GOLEM), 500_00);
        // The swap cost something: the value before it is the highest.
        assertEq(state.highWaterCents, 10_000_00);
    }

    function test_constitution_revert_notEnacted() public {
        bytes32 unknown = keccak256("nobody enacted this");
        Delegation memory d = _governed(unknown);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.ConstitutionNotFound.selector, unknown));
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
    }

    function test_constitution_revert_assetNotApproved() public {
        Delegation memory d = _governed(_enactOnlyUsdc());
        bytes memory reason =
            abi.encodeWithSelector(IPolicyCage.AssetNotApproved.selector, _enactOnlyUsdc(), address(weth));
        vm.expectRevert(reason);
        _redeem(d, SINGLE, _single(address(weth), 0, _transfer(payee, 1)));
        // The inflow of a swap is checked as well.
        vm.expectRevert(reason);
        _swap(d, 100e6);
    }

    function test_constitution_revert_limits() public {
        Delegation memory d = _governed(constitution);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.TransactionLimitExceeded.selector, 500_01, 500_00));
        _swap(d, 500_010_000);
        _swap(d, 500e6);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.SessionLimitExceeded.selector, 800_01, 800_00));
        _swap(d, 300_010_000);
        skip(1 hours);
        wethFeed.set(3000e8, vm.getBlockTimestamp());
        _swap(d, 400e6);
        skip(1 hours);
        wethFeed.set(3000e8, vm.getBlockTimestamp());
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.DayLimitExceeded.selector, 900_00 + 101_00, 1_000_00));
        _swap(d, 101e6);
    }

    function test_constitution_revert_concentration() public {
        Delegation memory d = _governed(_enact(300, 2_000));
        vm.expectPartialRevert(IPolicyCage.ConcentrationExceeded.selector);
        _swap(d, 400e6);
        _swap(d, 200e6);
    }

    /// @dev The last step to a lower value is refused; the way back into the settlement asset is not.
    function test_constitution_revert_drawdownButUnwindingPasses() public {
        Delegation memory d = _governed(_enact(5_000, 100));
        _swap(d, 500e6);
        // WETH loses four fifths: 10,000 dollars became about 9,600.
        wethFeed.set(600e8, vm.getBlockTimestamp());
        vm.expectPartialRevert(IPolicyCage.DrawdownExceeded.selector);
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, 1e6)));
        // At the feed's price the pool pays far too much for WETH, so slippage does not refuse.
        uint256 amount = weth.balanceOf(account) / 10;
        ISwapRouter02.ExactInputSingleParams memory back =
            ISwapRouter02.ExactInputSingleParams(address(weth), address(usdc), 500, account, amount, 0, 0);
        bytes memory swapBack = abi.encodeCall(ISwapRouter02.exactInputSingle, (back));
        Execution memory approval = _call(address(weth), _approve(address(router), amount));
        _redeem(d, BATCH, _batch(approval, _call(address(router), swapBack)));
    }

    function test_fallback_revert_unknownFunction() public {
        bytes memory unknown = abi.encodeWithSignature("enforce()");
        (bool ok, bytes memory reason) = address(cage).call(unknown);
        assertFalse(ok);
        assertEq(reason, abi.encodeWithSelector(CaveatEnforcer.FunctionUnknown.selector, bytes4(unknown)));
    }

    // --- Parts

    function _governed(bytes32 hash) private view returns (Delegation memory) {
        Bounds memory b = _bounds();
        b.dayCents = 10_000_00;
        b.extras = uint16(CageTerms.CONSTITUTION);
        b.sections = abi.encodePacked(hash);
        return _caged(b);
    }

    function _swap(Delegation memory d, uint256 amount) private {
        _redeem(d, BATCH, _swap(amount, account));
    }

    function _enact(uint16 wethBps, uint16 drawdownBps) private returns (bytes32) {
        IPolicyCage.AssetLimit memory a = IPolicyCage.AssetLimit(address(usdc), 10_000);
        IPolicyCage.AssetLimit memory b = IPolicyCage.AssetLimit(address(weth), wethBps);
        IPolicyCage.AssetLimit[] memory assets = new IPolicyCage.AssetLimit[](2);
        (assets[0], assets[1]) = address(usdc) < address(weth) ? (a, b) : (b, a);
        return policyCage.enact(
            IPolicyCage.Constitution(
                assets, IPolicyCage.Limits(500_00, 800_00, 1_000_00, 1 hours, drawdownBps), bytes32(0)
            )
        );
    }

    function _enactOnlyUsdc() private returns (bytes32) {
        IPolicyCage.AssetLimit[] memory assets = new IPolicyCage.AssetLimit[](1);
        assets[0] = IPolicyCage.AssetLimit(address(usdc), 10_000);
        return policyCage.enact(
            IPolicyCage.Constitution(assets, IPolicyCage.Limits(500_00, 800_00, 1_000_00, 1 hours, 10_000), bytes32(0))
        );
    }
}
