// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {AbiReader} from "./AbiReader.sol";
import {ActionClass} from "./ActionClass.sol";
import {Actions} from "./Actions.sol";
import {Methods} from "./Methods.sol";
import {Plan} from "./Plan.sol";
import {SwapActions} from "./SwapActions.sol";

/// @title Deposits into and withdrawals from ERC-4626 vaults
/// @dev The vault's asset must be tracked: an approval that the owner gave the vault long ago would let it take what nobody
///      measures. What shares cost to mint is measured; what a deposit names is booked, so that rewards paid out on the way
///      cannot make it look smaller.
library VaultActions {
    using AbiReader for bytes;

    function vault(Plan memory p, bytes calldata mandate, address target, bytes calldata data) internal view {
        bytes4 selector = data.length < 4 ? bytes4(0) : bytes4(data[:4]);
        if (data.length == 68 && (selector == Methods.DEPOSIT || selector == Methods.MINT_SHARES)) {
            p.methods |= selector == Methods.DEPOSIT ? Methods.DEPOSIT_BIT : Methods.MINT_SHARES_BIT;
            p.classes |= ActionClass.DEPOSIT;
            uint256 asset = Actions.tracked(mandate, IERC4626(target).asset());
            if (selector == Methods.DEPOSIT) Actions.leaves(p, asset, data.word(4));
        } else if (data.length == 100 && (selector == Methods.WITHDRAW || selector == Methods.REDEEM)) {
            p.methods |= selector == Methods.WITHDRAW ? Methods.WITHDRAW_BIT : Methods.REDEEM_BIT;
            p.classes |= ActionClass.WITHDRAW;
            // Whose shares: an allowance that somebody gave the account is not the Golem's to use.
            if (data.addressAt(68) != p.account) revert SwapActions.RecipientNotAccount(data.addressAt(68));
        } else {
            revert Actions.MethodUnknown(target, selector);
        }
        address receiver = data.addressAt(36);
        if (receiver != p.account) revert SwapActions.RecipientNotAccount(receiver);
    }
}
