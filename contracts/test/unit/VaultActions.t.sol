// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld} from "../CageWorld.sol";
import {Delegation} from "../Framework.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {SwapActions} from "../../src/libraries/SwapActions.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

/// @title Deposits and withdrawals
contract VaultActionsTest is CageWorld {
    /// @dev A deposit counts for its amount, minted shares for their price; an inflow counts for nothing.
    function test_life() public {
        _redeem(
            _delegated(),
            BATCH,
            _batch(
                _call(address(usdc), _approve(address(vault), 100e6)),
                _call(address(vault), abi.encodeCall(IERC4626.deposit, (100e6, account)))
            )
        );
        assertEq(_spent(), 100_00);
        _redeem(
            _delegated(),
            BATCH,
            _batch(
                _call(address(usdc), _approve(address(vault), vault.previewMint(50e6))),
                _call(address(vault), abi.encodeCall(IERC4626.mint, (50e6, account)))
            )
        );
        assertEq(_spent(), 150_00);
        _redeem(_delegated(), SINGLE, _vault(abi.encodeCall(IERC4626.withdraw, (100e6, account, account))));
        uint256 shares = vault.balanceOf(account);
        _redeem(_delegated(), SINGLE, _vault(abi.encodeCall(IERC4626.redeem, (shares, account, account))));
        assertEq(vault.balanceOf(account), 0);
        assertEq(_spent(), 150_00);
    }

    function test_receiver_revert_stranger() public {
        bytes memory reason = abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, thief);
        _refused(abi.encodeCall(IERC4626.deposit, (1, thief)), reason);
        _refused(abi.encodeCall(IERC4626.mint, (1, thief)), reason);
        _refused(abi.encodeCall(IERC4626.withdraw, (1, thief, account)), reason);
        _refused(abi.encodeCall(IERC4626.redeem, (1, thief, account)), reason);
    }

    /// @dev Another owner allowed the account to use their shares. The Golem may not.
    function test_shares_revert_ofAnother() public {
        bytes memory reason = abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, payee);
        _refused(abi.encodeCall(IERC4626.withdraw, (1, account, payee)), reason);
        _refused(abi.encodeCall(IERC4626.redeem, (1, account, payee)), reason);
    }

    /// @dev Shares cannot be used for payments.
    function test_method_revert_unknown() public {
        bytes[3] memory unknown = [
            _transfer(payee, 1),
            _approve(thief, 1),
            abi.encodePacked(abi.encodeCall(IERC4626.deposit, (1, account)), uint8(0))
        ];
        for (uint256 i; i < unknown.length; ++i) {
            _refused(
                unknown[i], abi.encodeWithSelector(Actions.MethodUnknown.selector, address(vault), bytes4(unknown[i]))
            );
        }
    }

    function _delegated() private view returns (Delegation memory) {
        return _caged(_bounds());
    }

    function _spent() private view returns (uint256) {
        return _spentCents(account, GOLEM);
    }

    function _vault(bytes memory data) private view returns (bytes memory) {
        return _single(address(vault), 0, data);
    }

    function _refused(bytes memory data, bytes memory reason) private {
        Delegation memory d = _delegated();
        vm.expectRevert(reason);
        _redeem(d, SINGLE, _vault(data));
    }
}
