// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";
import {ActionClass} from "./ActionClass.sol";
import {Actions} from "./Actions.sol";
import {Mandate} from "./Mandate.sol";
import {Methods} from "./Methods.sol";
import {Plan} from "./Plan.sol";

/// @title Swaps through SwapRouter02 and UniversalRouter
library SwapActions {
    using AbiReader for bytes;
    using Mandate for bytes;

    /// @notice Thrown when swapped, collected or redeemed value goes to an address other than the account.
    error RecipientNotAccount(address recipient);
    /// @notice Thrown when the input of a swap is zero, which the router reads as its whole balance.
    error ZeroInput();
    /// @notice Thrown when the bytes are not a Uniswap V3 path.
    error PathMalformed(uint256 length);
    /// @notice Thrown when the commands are not one exact-input V3 swap that the account pays.
    error CommandNotSupported(bytes commands);
    /// @notice Thrown when a multicall contains another multicall.
    error NestedTooDeep(address target);

    /// @dev One hop of a V3 path: token 20 bytes, fee 3 bytes.
    uint256 private constant HOP = 23;

    function router(Plan p, bytes calldata mandate, address target, bytes calldata data) internal pure {
        bytes4 selector = data.selector();
        uint256 head;
        if (selector == Methods.MULTICALL) head = 4;
        else if (selector == Methods.MULTICALL_DEADLINE) head = 36;

        if (head == 0) _routerCall(p, mandate, target, selector, data);
        else _multicall(p, mandate, target, data, head);
    }

    /// @param head the position of the offset of the list of calls
    function _multicall(Plan p, bytes calldata mandate, address target, bytes calldata data, uint256 head)
        private
        pure
    {
        uint256 table = data.follow(4, head);
        uint256 count = data.word(table);
        unchecked {
            // `table` lies inside the data, and `bytesAt` reverts for the first offset that does not: no sum comes near
            // 2^256.
            table += 32;
            for (uint256 i; i < count; ++i) {
                bytes calldata inner = data.bytesAt(table, table + 32 * i);
                bytes4 innerSelector = inner.selector();
                if (innerSelector == Methods.MULTICALL || innerSelector == Methods.MULTICALL_DEADLINE) {
                    revert NestedTooDeep(target);
                }
                _routerCall(p, mandate, target, innerSelector, inner);
            }
        }
    }

    function _routerCall(Plan p, bytes calldata mandate, address target, bytes4 selector, bytes calldata data)
        private
        pure
    {
        if (selector == Methods.EXACT_INPUT_SINGLE && data.length == 228) {
            p.addMethod(Methods.EXACT_INPUT_SINGLE_BIT);
            _swapSingle(p, mandate, data, data.load(132));
        } else if (selector == Methods.EXACT_OUTPUT_SINGLE && data.length == 228) {
            p.addMethod(Methods.EXACT_OUTPUT_SINGLE_BIT);
            // The swap counts for the maximum that it may take.
            _swapSingle(p, mandate, data, data.load(164));
        } else if (selector == Methods.EXACT_INPUT) {
            p.addMethod(Methods.EXACT_INPUT_BIT);
            uint256 base = data.follow(4, 4);
            (address first, address last) = _path(mandate, data.bytesAt(base, base));
            _swap(p, mandate, first, last, data.addressAt(base + 32), data.word(base + 64));
        } else if (selector == Methods.EXACT_OUTPUT) {
            p.addMethod(Methods.EXACT_OUTPUT_BIT);
            uint256 base = data.follow(4, 4);
            // An exact-output path is encoded in reverse.
            (address last, address first) = _path(mandate, data.bytesAt(base, base));
            _swap(p, mandate, first, last, data.addressAt(base + 32), data.word(base + 96));
        } else {
            revert Actions.MethodUnknown(target, selector);
        }
    }

    /// @param data 228 bytes: selector, token in, token out, fee, recipient, and amounts
    function _swapSingle(Plan p, bytes calldata mandate, bytes calldata data, uint256 amountIn) private pure {
        (uint256 tokenIn, uint256 tokenOut, uint256 recipient) = (data.load(4), data.load(36), data.load(100));
        if ((tokenIn | tokenOut | recipient) >> 160 != 0) revert AbiReader.DataMalformed(4, data.length);
        _swap(p, mandate, address(uint160(tokenIn)), address(uint160(tokenOut)), address(uint160(recipient)), amountIn);
    }

    /// @notice One V3_SWAP_EXACT_IN command, paid by the account through Permit2, to the account.
    function universal(Plan p, bytes calldata mandate, address target, bytes calldata data) internal pure {
        bytes4 selector = data.selector();
        if (selector != Methods.EXECUTE && selector != Methods.EXECUTE_DEADLINE) {
            revert Actions.MethodUnknown(target, selector);
        }
        p.addMethod(Methods.EXECUTE_BIT);
        bytes calldata commands = data.bytesAt(4, 4);
        uint256 inputs = data.follow(4, 36);
        if (commands.length != 1 || commands.load(0) >> 248 != 0 || data.word(inputs) != 1) {
            revert CommandNotSupported(commands);
        }
        bytes calldata input = data.bytesAt(inputs + 32, inputs + 32);
        if (input.word(128) != 1) revert CommandNotSupported(commands);
        (address first, address last) = _path(mandate, input.bytesAt(0, 96));
        _swap(p, mandate, first, last, input.addressAt(0), input.word(32));
    }

    /// @dev Every token on the path must be tracked, so that no unknown token's code runs inside the swap.
    function _path(bytes calldata mandate, bytes calldata path) private pure returns (address first, address last) {
        if (path.length < HOP + 20 || (path.length - 20) % HOP != 0) revert PathMalformed(path.length);
        unchecked {
            // A whole number of hops plus one token: every offset has 20 bytes.
            for (uint256 offset; offset < path.length; offset += HOP) {
                last = address(uint160(path.load(offset) >> 96));
                Actions.tracked(mandate, last);
            }
        }
        first = address(uint160(path.load(0) >> 96));
    }

    function _swap(
        Plan p,
        bytes calldata mandate,
        address tokenIn,
        address tokenOut,
        address recipient,
        uint256 amountIn
    ) private pure {
        // Must be exactly the account: the router reads address 1 as the caller and 2 as itself.
        if (recipient != p.account()) revert RecipientNotAccount(recipient);
        if (amountIn == 0) revert ZeroInput();
        (uint256 from, uint256 to) = mandate.pairOf(tokenIn, tokenOut);
        if (from == Mandate.NONE) revert Actions.AssetNotTracked(tokenIn);
        if (to == Mandate.NONE) revert Actions.AssetNotTracked(tokenOut);
        p.addPair(from, to);
        p.addClass(to == p.settlement() ? ActionClass.UNWIND : ActionClass.SWAP);
        p.leaves(from, amountIn);
        p.brings(to);
    }
}
