// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer, ICaveatEnforcer, Token, Vault} from "./EnforcerTest.sol";
import {MeteredEnforcerTest} from "./MeteredEnforcerTest.sol";
import {VaultNAVEnforcer} from "../../src/enforcers/VaultNAVEnforcer.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {VaultNAV} from "../../src/libraries/VaultNAV.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {StaticRead} from "../../src/libraries/StaticRead.sol";

contract VaultNAVEnforcerTest is MeteredEnforcerTest {
    VaultNAVEnforcer private enforcer = new VaultNAVEnforcer(vitals, policyCage, manager);

    function setUp() public override {
        super.setUp();
        // Ten thousand dollars of another depositor.
        usdc.mint(address(vault), 10_000e6);
    }

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    function _row() internal pure override returns (bytes32) {
        return HASH;
    }

    /// @dev A tenth of the vault, at most 2,000 dollars.
    function _goodTerms() internal view override returns (bytes memory) {
        return _nav(address(vault), 1_000, 2_000_00);
    }

    function _nav(address vault_, uint256 bps, uint256 capCents) private view returns (bytes memory) {
        return abi.encodePacked(vault_, uint16(bps), uint40(capCents), _mandate());
    }

    function test_afterHook_limit(uint64 total, uint16 bps, uint40 cap, uint64 amount) public {
        bps = uint16(bound(bps, 0, 10_000));
        amount = uint64(bound(amount, 0, 10_000_000e6));
        deal(address(usdc), address(vault), total);
        uint256 limit = uint256(total) * bps / 10_000;
        if (limit > uint256(cap) * 10_000) limit = uint256(cap) * 10_000;
        bytes memory terms = _nav(address(vault), bps, cap);
        _before(terms, SINGLE, _payment(amount));
        if (amount > limit) _afterRefuses(terms, SINGLE, _payment(amount), _exceeded(amount, limit));
        else _after(terms, SINGLE, _payment(amount));
    }

    function test_afterHook_revert_aMillionthTooMuch() public {
        _before(_goodTerms(), SINGLE, _payment(1_000e6 + 1));
        _afterRefuses(_goodTerms(), SINGLE, _payment(1_000e6 + 1), _exceeded(1_000e6 + 1, 1_000e6));
    }

    /// @dev The vault's assets are inflated a thousandfold during the transaction.
    function test_afterHook_revert_flashDeposit() public {
        usdc.mint(address(vault), 10_000_000e6);
        _before(_goodTerms(), SINGLE, _payment(2_000e6 + 1));
        _afterRefuses(_goodTerms(), SINGLE, _payment(2_000e6 + 1), _exceeded(2_000e6 + 1, 2_000e6));
    }

    /// @dev A deposit enlarges the vault, which must not allow a larger deposit.
    function test_afterHook_revert_depositAsItsOwnExcuse() public {
        bytes memory execution = _single(_depositCall(1_050e6));
        _before(_goodTerms(), SINGLE, execution);
        vm.startPrank(account);
        usdc.approve(address(vault), 1_050e6);
        vault.deposit(1_050e6, account);
        vm.stopPrank();
        _afterRefuses(_goodTerms(), SINGLE, execution, _exceeded(1_050e6, 1_000e6));
    }

    /// @dev Borrowed assets that are returned before the end do not count.
    function test_afterHook_revert_shrunkMeanwhile() public {
        _before(_goodTerms(), SINGLE, _payment(1_000e6));
        usdc.burn(address(vault), 5_000e6);
        _afterRefuses(_goodTerms(), SINGLE, _payment(1_000e6), _exceeded(1_000e6, 500e6));
    }

    function test_afterHook_withdrawalTakesNothing() public {
        bytes memory terms = _nav(address(vault), 0, 0);
        bytes memory execution = _single(_withdrawCall(10_000e6));
        _before(terms, SINGLE, execution);
        usdc.mint(account, 10_000e6);
        _after(terms, SINGLE, execution);
    }

    /// @dev Other assets count by their feeds; the vault's may be priced by a feed as well.
    function test_afterHook_vaultOfAnotherAsset() public {
        Vault wethVault = new Vault(weth);
        weth.mint(address(wethVault), 10e18);
        bytes memory terms = _nav(address(wethVault), 1_000, type(uint40).max);
        _before(terms, SINGLE, _payment(3_000e6));
        _after(terms, SINGLE, _payment(3_000e6));
        _before(terms, SINGLE, _payment(3_000e6 + 1));
        _afterRefuses(terms, SINGLE, _payment(3_000e6 + 1), _exceeded(3_000e6 + 1, 3_000e6));
    }

    function test_beforeHook_revert_assetNotTracked() public {
        Token other = new Token("OTHER", 18);
        bytes memory terms = _nav(address(new Vault(other)), 1_000, 2_000_00);
        _refuses(terms, _payment(10e6), abi.encodeWithSelector(Actions.AssetNotTracked.selector, other));
    }

    function test_beforeHook_revert_noVault() public {
        bytes memory reason = abi.encodeWithSelector(StaticRead.NoAnswer.selector, stranger, IERC4626.asset.selector);
        _refuses(_nav(stranger, 1_000, 2_000_00), _payment(10e6), reason);
        // A token answers neither call of a vault.
        reason = abi.encodeWithSelector(StaticRead.NoAnswer.selector, usdc, IERC4626.asset.selector);
        _refuses(_nav(address(usdc), 1_000, 2_000_00), _payment(10e6), reason);
    }

    function test_beforeHook_revert_moreThanAll(uint16 bps) public {
        bps = uint16(bound(bps, 10_001, type(uint16).max));
        bytes memory reason = abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, bps);
        _refuses(_nav(address(vault), bps, 2_000_00), _payment(10e6), reason);
    }

    function _exceeded(uint256 outMicros, uint256 limit) private pure returns (bytes memory) {
        return abi.encodeWithSelector(VaultNAV.NAVExceeded.selector, outMicros, limit);
    }
}
