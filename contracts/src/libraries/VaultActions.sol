// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {AbiReader} from "./AbiReader.sol";
import {ActionClass} from "./ActionClass.sol";
import {Actions} from "./Actions.sol";
import {StaticRead} from "./StaticRead.sol";
import {Methods} from "./Methods.sol";
import {Plan} from "./Plan.sol";
import {SwapActions} from "./SwapActions.sol";

/// @title Deposits into and withdrawals from ERC-4626 vaults
/// @dev The vault's asset must be tracked: an old approval of the owner would let the vault take an asset that is not
///      measured. A deposit is booked with its amount, and minted shares with the price that the vault reports: neither
///      rewards paid meanwhile nor another lineage's withdrawal in between can make it look smaller.
library VaultActions {
    using AbiReader for bytes;

    function vault(Plan p, bytes calldata mandate, address target, bytes calldata data) internal view {
        bytes4 selector = data.selector();
        if (data.length == 68 && (selector == Methods.DEPOSIT || selector == Methods.MINT_SHARES)) {
            p.addMethod(selector == Methods.DEPOSIT ? Methods.DEPOSIT_BIT : Methods.MINT_SHARES_BIT);
            p.addClass(ActionClass.DEPOSIT);
            uint256 asset = Actions.tracked(mandate, StaticRead.addressOf(target, IERC4626.asset.selector));
            uint256 amount = data.load(4);
            if (selector == Methods.MINT_SHARES) {
                amount = StaticRead.word(target, IERC4626.previewMint.selector, amount);
            }
            p.leaves(asset, amount);
        } else if (data.length == 100 && (selector == Methods.WITHDRAW || selector == Methods.REDEEM)) {
            p.addMethod(selector == Methods.WITHDRAW ? Methods.WITHDRAW_BIT : Methods.REDEEM_BIT);
            p.addClass(ActionClass.WITHDRAW);
            p.setVault(target);
            // The shares must be the account's: an allowance that another owner gave the account is not the Golem's to
            // use.
            if (data.loadAddress(68) != p.account()) revert SwapActions.RecipientNotAccount(data.loadAddress(68));
        } else {
            revert Actions.MethodUnknown(target, selector);
        }
        address receiver = data.loadAddress(36);
        if (receiver != p.account()) revert SwapActions.RecipientNotAccount(receiver);
    }
}
