// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Delegation} from "../Framework.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {VaultNAV} from "../../src/libraries/VaultNAV.sol";
import {UsdcVault} from "../../devnet/UsdcVault.sol";
import {CaveatEnforcer} from "../../src/enforcers/CaveatEnforcer.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title The thief's own enforcer on a sub-delegation: it fills the vault around the execution, or during it
/// @dev It is also a payee, so that native currency sent to it calls it between the Cage's two hooks.
contract Flash is CaveatEnforcer {
    UsdcVault private immutable vault;
    bool private fillBefore;
    bool private emptyAfter;
    bool private fillInside;
    bool private emptyInside;

    constructor(UsdcVault vault_) {
        vault = vault_;
        IERC20(vault_.asset()).approve(address(vault_), type(uint256).max);
    }

    function plan(bool fillBefore_, bool emptyInside_, bool fillInside_, bool emptyAfter_) external {
        (fillBefore, emptyInside, fillInside, emptyAfter) = (fillBefore_, emptyInside_, fillInside_, emptyAfter_);
    }

    function beforeHook(bytes calldata, bytes calldata, bytes32, bytes calldata, bytes32, address, address) external {
        if (fillBefore) _fill();
    }

    function afterHook(bytes calldata, bytes calldata, bytes32, bytes calldata, bytes32, address, address) external {
        if (emptyAfter) _empty();
    }

    receive() external payable {
        if (emptyInside) _empty();
        if (fillInside) _fill();
    }

    function _fill() private {
        vault.deposit(IERC20(vault.asset()).balanceOf(address(this)), address(this));
    }

    function _empty() private {
        vault.redeem(vault.balanceOf(address(this)), address(this), address(this));
    }
}

/// @title A flash deposit that inflates the vault
/// @dev The vault holds a million. The owner signed a thousandth of it, which is 1,000 dollars, and at most 1,500. With
///      the thief's nine million in it, a thousandth is 10,000.
abstract contract VaultFlash is Attack {
    Flash internal flash;
    Delegation[] internal chain;

    function setUp() public override {
        super.setUp();
        flash = new Flash(vault);
        usdc.mint(address(flash), 9_000_000e6);
        vm.deal(account, 10 ether);
        (address enforcer, bytes memory terms) = _guard(_mandateWithNative(), abi.encodePacked(vault, uint16(10)));
        Delegation memory root = _sign(_delegation(enforcer, terms), ownerKey);
        Delegation[] memory made = _sub(root, thief, address(flash), "");
        for (uint256 i; i < 2; ++i) {
            chain.push();
            _keep(chain[i], made[i]);
        }
    }

    /// @param share the vault and its basis points; the cap is appended
    function _guard(bytes memory mandate, bytes memory share) internal virtual returns (address, bytes memory);

    function test_flashDeposit_revert_aroundTheExecution() public {
        flash.plan(true, false, false, true);
        vm.expectRevert(abi.encodeWithSelector(VaultNAV.NAVExceeded.selector, 1_503e6, 1_500e6));
        _spend(0.501 ether);
    }

    function test_flashDeposit_capIsAllItGets() public {
        flash.plan(true, false, false, true);
        _spend(0.5 ether);
        assertEq(address(flash).balance, 0.5 ether);
        assertEq(usdc.balanceOf(address(flash)), 9_000_000e6);
    }

    function test_flashDeposit_revert_takenBackInTheMiddle() public {
        flash.plan(true, true, false, false);
        vm.expectRevert(abi.encodeWithSelector(VaultNAV.NAVExceeded.selector, 1_200e6, 1_000e6));
        _spend(0.4 ether);
    }

    function test_flashDeposit_revert_madeInTheMiddle() public {
        flash.plan(false, false, true, true);
        vm.expectRevert(abi.encodeWithSelector(VaultNAV.NAVExceeded.selector, 1_200e6, 1_000e6));
        _spend(0.4 ether);
    }

    function test_noFlashDeposit_revert_aboveTheShare() public {
        vm.expectRevert(abi.encodeWithSelector(VaultNAV.NAVExceeded.selector, 1_200e6, 1_000e6));
        _spend(0.4 ether);
    }

    function _spend(uint256 amount) private {
        _redeemChain(thief, chain, SINGLE, _single(address(flash), amount, ""));
    }

    /// @dev USDC at par and native currency by WETH's feed; the thief's contract is a payee.
    function _mandateWithNative() private view returns (bytes memory) {
        return abi.encodePacked(
            account,
            uint8(2),
            uint8(0),
            uint8(1),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(address(0), address(wethFeed), uint24(1 hours), uint8(26)),
            address(flash)
        );
    }
}

/// @title Against the Cage's own section
contract CageVaultFlashTest is VaultFlash {
    function _guard(bytes memory mandate, bytes memory share) internal view override returns (address, bytes memory) {
        Bounds memory b = _bounds();
        b.dayCents = 100_000_00;
        b.sizes[0] = 100_000;
        b.mandate = mandate;
        b.extras = uint16(CageTerms.VAULT_NAV);
        b.sections = abi.encodePacked(share, uint40(1_500_00));
        return (address(cage), _terms(b));
    }
}

/// @title Against the separate enforcer
contract VaultNAVFlashTest is VaultFlash {
    function _guard(bytes memory mandate, bytes memory share) internal override returns (address, bytes memory) {
        return (_deployReader("VaultNAVEnforcer"), abi.encodePacked(share, uint40(1_500_00), mandate));
    }
}
