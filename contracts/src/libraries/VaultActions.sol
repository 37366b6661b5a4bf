// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";
import {ActionClass} from "./ActionClass.sol";
import {Actions} from "./Actions.sol";
import {Methods} from "./Methods.sol";
import {Plan} from "./Plan.sol";
import {SwapActions} from "./SwapActions.sol";

/// @title Deposits into and withdrawals from ERC-4626 vaults
/// @dev What a deposit takes is measured: nothing else in the same execution could bring the asset back in.
library VaultActions {
    using AbiReader for bytes;

    function vault(Plan memory p, address target, bytes calldata data) internal pure {
        bytes4 selector = data.length < 4 ? bytes4(0) : bytes4(data[:4]);
        if (data.length == 68 && (selector == Methods.DEPOSIT || selector == Methods.MINT_SHARES)) {
            p.methods |= selector == Methods.DEPOSIT ? Methods.DEPOSIT_BIT : Methods.MINT_SHARES_BIT;
            p.classes |= ActionClass.DEPOSIT;
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
