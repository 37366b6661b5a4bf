// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICaveatEnforcer, Mandate} from "./EnforcerTest.sol";
import {MeteredEnforcerTest} from "./MeteredEnforcerTest.sol";
import {PolicyCageEnforcer} from "../../src/enforcers/PolicyCageEnforcer.sol";
import {IPolicyCage} from "../../src/interfaces/IPolicyCage.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {PolicyCage} from "../../src/policy/PolicyCage.sol";

contract PolicyCageEnforcerTest is MeteredEnforcerTest {
    PolicyCageEnforcer private enforcer = new PolicyCageEnforcer(vitals, policyCage, manager);
    bytes32 private constitution;

    function setUp() public override {
        super.setUp();
        constitution = _enact(address(usdc), address(weth), 4_000);
        // A portfolio of 70,000 dollars in USDC and 30,000 in WETH.
        deal(address(usdc), account, 70_000e6);
        deal(address(weth), account, 10e18);
        vm.deal(account, 0);
    }

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    function _row() internal pure override returns (bytes32) {
        return LINEAGE;
    }

    function _goodTerms() internal view override returns (bytes memory) {
        return _policy(constitution, LINEAGE);
    }

    function _policy(bytes32 constitution_, bytes32 lineage) private view returns (bytes memory) {
        return abi.encodePacked(constitution_, lineage, _mandate());
    }

    /// @dev 12,000 dollars at once, 15,000 a session of an hour, 20,000 a day; a drawdown of a tenth.
    function _enact(address a, address b, uint16 wethShare) private returns (bytes32) {
        IPolicyCage.AssetLimit[] memory assets = new IPolicyCage.AssetLimit[](a == b ? 1 : 2);
        if (a > b) (a, b) = (b, a);
        assets[0] = IPolicyCage.AssetLimit(a, a == address(weth) ? wethShare : 10_000);
        if (a != b) assets[1] = IPolicyCage.AssetLimit(b, b == address(weth) ? wethShare : 10_000);
        return policyCage.enact(
            IPolicyCage.Constitution(
                assets, IPolicyCage.Limits(12_000_00, 15_000_00, 20_000_00, 1 hours, 1_000), bytes32(0)
            )
        );
    }

    // Approved assets.

    function test_beforeHook_revert_assetNotApproved() public {
        bytes32 usdcOnly = _enact(address(usdc), address(usdc), 0);
        bytes memory execution = _single(_transferCall(address(weth), payee, 1));
        _refuses(_policy(usdcOnly, LINEAGE), execution, _notApproved(usdcOnly, address(weth)));
    }

    /// @dev Inflow is visible only after the execution.
    function test_afterHook_revert_assetNotApproved() public {
        bytes32 usdcOnly = _enact(address(usdc), address(usdc), 0);
        bytes memory terms = _policy(usdcOnly, LINEAGE);
        bytes memory execution = _single(_swapCall(address(usdc), address(weth), 3e6));
        _before(terms, SINGLE, execution);
        usdc.burn(account, 3e6);
        weth.mint(account, 1e15);
        _afterRefuses(terms, SINGLE, execution, _notApproved(usdcOnly, address(weth)));
    }

    /// @dev What the calldata does not show is also measured after the execution.
    function test_afterHook_revert_unapprovedAssetLeft() public {
        bytes32 usdcOnly = _enact(address(usdc), address(usdc), 0);
        bytes memory terms = _policy(usdcOnly, LINEAGE);
        bytes memory execution = _single(_saleCall());
        _before(terms, SINGLE, execution);
        weth.burn(account, 1);
        _afterRefuses(terms, SINGLE, execution, _notApproved(usdcOnly, address(weth)));
    }

    function test_beforeHook_revert_native() public {
        vm.deal(account, 1 ether);
        bytes memory execution = abi.encodePacked(payee, uint256(1));
        _refuses(_goodTerms(), execution, _notApproved(constitution, address(0)));
    }

    function test_beforeHook_revert_constitutionNotFound(bytes32 hash) public {
        vm.assume(hash != constitution);
        bytes memory reason = abi.encodeWithSelector(IPolicyCage.ConstitutionNotFound.selector, hash);
        _refuses(_policy(hash, LINEAGE), _payment(10e6), reason);
    }

    /// @dev The signed hash counts, whatever the account adopts.
    function test_hooks_adoptionChangesNothing() public {
        bytes32 usdcOnly = _enact(address(usdc), address(usdc), 0);
        vm.prank(account);
        policyCage.adopt(usdcOnly);
        _swap(3e6, 1e15);
    }

    /// @dev Signed as a publishing contract, the constitution store is still refused as a target.
    function test_beforeHook_revert_policyCageAsTarget() public {
        bytes memory mandate = abi.encodePacked(
            abi.encodePacked(account, uint8(1), uint8(1), uint8(0)),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(Mandate.PUBLISH, address(policyCage), PolicyCage.adopt.selector)
        );
        bytes memory execution =
            abi.encodePacked(address(policyCage), uint256(0), abi.encodeCall(PolicyCage.adopt, (constitution)));
        bytes memory reason = abi.encodeWithSelector(Actions.TargetNotAllowed.selector, policyCage);
        _refuses(abi.encodePacked(constitution, LINEAGE, mandate), execution, reason);
    }

    // Spending.

    function test_afterHook_revert_perTransaction() public {
        bytes memory reason =
            abi.encodeWithSelector(IPolicyCage.TransactionLimitExceeded.selector, 12_000_01, 12_000_00);
        // Sold and not lost, so that only the spending is too high.
        _swapRefused(12_000e6 + 1, 4e18, reason);
        _swap(9_000e6, 3e18);
        assertEq(enforcer.spentCents(account, LINEAGE), 9_000_00);
    }

    function test_afterHook_revert_perSession() public {
        _swap(9_000e6, 3e18);
        _sell(2e18, 6_000e6);
        bytes memory reason = abi.encodeWithSelector(IPolicyCage.SessionLimitExceeded.selector, 15_000_01, 15_000_00);
        _swapRefused(1, 0, reason);
        skip(1 hours - 1);
        feed.set(3000e8);
        _swapRefused(1, 0, reason);
        skip(1);
        _swap(3e6, 1e15);
        PolicyCageEnforcer.Session memory session = enforcer.session(account, LINEAGE);
        assertEq(session.start, vm.getBlockTimestamp());
        assertEq(session.cents, 3_00);
    }

    function test_afterHook_revert_perDay() public {
        _swap(9_000e6, 3e18);
        skip(1 hours);
        feed.set(3000e8);
        _sell(3e18, 9_000e6);
        skip(22 hours);
        feed.set(3000e8);
        bytes memory reason = abi.encodeWithSelector(IPolicyCage.DayLimitExceeded.selector, 20_000_01, 20_000_00);
        _swapRefused(2_000e6 + 1, 0.67e18, reason);
        _swap(2_000e6, 0.66e18);
        skip(28 hours);
        feed.set(3000e8);
        _sell(1e18, 3_000e6);
    }

    function test_afterHook_spending(uint64 amount) public {
        amount = uint64(bound(amount, 1, 20_000e6));
        uint256 cents = (uint256(amount) + 9_999) / 10_000;
        bytes memory reason = abi.encodeWithSelector(IPolicyCage.TransactionLimitExceeded.selector, cents, 12_000_00);
        uint256 fair = uint256(amount) * 1e18 / 3000e6;
        // Above ten thousand dollars the share of WETH would be too large, which another test covers.
        bytes32 free = _enact(address(usdc), address(weth), 10_000);
        bytes memory terms = _policy(free, LINEAGE);
        bytes memory execution = _single(_swapCall(address(usdc), address(weth), amount));
        _before(terms, SINGLE, execution);
        usdc.burn(account, amount);
        weth.mint(account, fair);
        if (cents > 12_000_00) return _afterRefuses(terms, SINGLE, execution, reason);
        _after(terms, SINGLE, execution);
        assertEq(enforcer.spentCents(account, LINEAGE), cents);
    }

    // Concentration.

    function test_afterHook_concentration(uint64 amount) public {
        amount = uint64(bound(amount, 3_000, 12_000e6));
        uint256 bought = uint256(amount) * 1e18 / 3000e6;
        uint256 held = 30_000e6 + bought * 3000e6 / 1e18;
        uint256 total = held + 70_000e6 - amount;
        if (held * 10_000 <= total * 4_000) return _swap(amount, bought);
        _swapRefused(amount, bought, _concentrated(held, total));
    }

    function test_afterHook_revert_tooMuchOfOne() public {
        _swapRefused(10_200e6, 3.4e18, _concentrated(40_200e6, 100_000e6));
    }

    /// @dev The share is already too large: it may fall, and closing a position may raise it.
    function test_afterHook_overweight() public {
        feed.set(6000e8);
        _sell(0.1e18, 600e6);
        bytes memory execution = _single(_collectCall());
        _before(_goodTerms(), SINGLE, execution);
        weth.mint(account, 1e18);
        _after(_goodTerms(), SINGLE, execution);
        _swapRefused(600e6, 0.1e18, _concentrated(66_000e6, 136_000e6));
    }

    /// @dev A share of zero: it may be sold, not bought.
    function test_afterHook_shareOfZero() public {
        constitution = _enact(address(usdc), address(weth), 0);
        _sell(1e18, 3_000e6);
        bytes memory reason =
            abi.encodeWithSelector(IPolicyCage.ConcentrationExceeded.selector, weth, 27_003e6, 100_000e6, 0);
        _swapRefused(3e6, 1e15, reason);
    }

    // Drawdown.

    /// @dev The first execution already has a value to lose.
    function test_afterHook_revert_drawdownAtOnce() public {
        _swapRefused(10_500e6, 0, _drawdown(100_000_00, 89_500_00));
        _swap(10_000e6, 0);
        assertEq(_highWater(), 100_000_00);
    }

    function test_afterHook_revert_drawdownAdded() public {
        _swap(6_000e6, 0);
        _swapRefused(4_000e6 + 10_000, 0, _drawdown(100_000_00, 89_999_99));
    }

    function test_afterHook_revert_drawdownByTheMarket() public {
        _swap(3e6, 1e15);
        feed.set(1000e8);
        _swapRefused(1e6, 1e15, _drawdown(100_000_00, 79_998_00));
        // Closing positions stays possible.
        bytes memory execution = _single(_collectCall());
        _before(_goodTerms(), SINGLE, execution);
        weth.mint(account, 1e18);
        _after(_goodTerms(), SINGLE, execution);
    }

    function test_afterHook_highWaterRises(uint32 gain) public {
        _swap(3e6, 1e15);
        usdc.mint(account, gain);
        // The value before the next trade counts, although that trade then loses a little.
        _swap(3e6, 0.9e15);
        assertEq(_highWater(), (100_000e6 + uint256(gain)) / 10_000);
    }

    function test_afterHook_closingPassesWhileAFeedIsDown() public {
        _swap(3e6, 1e15);
        feed.set(0);
        bytes memory execution = _single(_withdrawCall(1));
        _before(_goodTerms(), SINGLE, execution);
        usdc.mint(account, 1e6);
        _after(_goodTerms(), SINGLE, execution);
    }

    /// @dev An owner who withdrew money signs a new constitution; the spending stays counted.
    function test_afterHook_newConstitution_newHighWater() public {
        _swap(3e6, 1e15);
        vm.prank(account);
        usdc.transfer(stranger, 40_000e6);
        _swapRefused(3e6, 0, _drawdown(100_000_00, 59_997_00));
        constitution = _enact(address(usdc), address(weth), 10_000);
        _swap(3e6, 1e15);
        assertEq(_highWater(), 60_000_00);
        assertEq(enforcer.spentCents(account, LINEAGE), 6_00);
    }

    // Rows.

    function test_afterHook_lineagesAreIndependent() public {
        _swap(9_000e6, 3e18);
        assertEq(enforcer.spentCents(account, "another"), 0);
        bytes memory execution = _single(_swapCall(address(weth), address(usdc), 4e18));
        _before(_policy(constitution, "another"), SINGLE, execution);
        weth.burn(account, 4e18);
        usdc.mint(account, 12_000e6);
        _after(_policy(constitution, "another"), SINGLE, execution);
        assertEq(enforcer.spentCents(account, LINEAGE), 9_000_00);
    }

    /// @dev A stricter constitution stops spending. It must not stop an execution that spends nothing.
    function test_afterHook_lowered_closingStillPasses() public {
        _swap(9_000e6, 3e18);
        IPolicyCage.AssetLimit[] memory assets = new IPolicyCage.AssetLimit[](1);
        assets[0] = IPolicyCage.AssetLimit(address(usdc), 10_000);
        constitution = policyCage.enact(
            IPolicyCage.Constitution(assets, IPolicyCage.Limits(1_00, 1_00, 1_00, 1 hours, 1_000), bytes32(0))
        );
        bytes memory execution = _single(_withdrawCall(1));
        _before(_goodTerms(), SINGLE, execution);
        usdc.mint(account, 1e6);
        _after(_goodTerms(), SINGLE, execution);
        assertEq(enforcer.spentCents(account, LINEAGE), 9_000_00);
    }

    function _swap(uint256 sold, uint256 bought) private {
        bytes memory execution = _single(_swapCall(address(usdc), address(weth), sold));
        _before(_goodTerms(), SINGLE, execution);
        usdc.burn(account, sold);
        weth.mint(account, bought);
        _after(_goodTerms(), SINGLE, execution);
    }

    function _sell(uint256 sold, uint256 bought) private {
        bytes memory execution = _single(_swapCall(address(weth), address(usdc), sold));
        _before(_goodTerms(), SINGLE, execution);
        weth.burn(account, sold);
        usdc.mint(account, bought);
        _after(_goodTerms(), SINGLE, execution);
    }

    /// @dev As in the manager: a refusal after the execution reverts everything before it.
    function _swapRefused(uint256 sold, uint256 bought, bytes memory reason) private {
        uint256 snapshot = vm.snapshotState();
        bytes memory execution = _single(_swapCall(address(usdc), address(weth), sold));
        _before(_goodTerms(), SINGLE, execution);
        usdc.burn(account, sold);
        weth.mint(account, bought);
        _afterRefuses(_goodTerms(), SINGLE, execution, reason);
        vm.revertToState(snapshot);
    }

    function _highWater() private view returns (uint256) {
        return enforcer.highWaterCents(account, LINEAGE, constitution);
    }

    function _notApproved(bytes32 hash, address asset) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IPolicyCage.AssetNotApproved.selector, hash, asset);
    }

    function _concentrated(uint256 held, uint256 total) private view returns (bytes memory) {
        return abi.encodeWithSelector(IPolicyCage.ConcentrationExceeded.selector, weth, held, total, 4_000);
    }

    function _drawdown(uint256 highest, uint256 current) private pure returns (bytes memory) {
        return abi.encodeWithSelector(IPolicyCage.DrawdownExceeded.selector, highest, current, 1_000);
    }
}
