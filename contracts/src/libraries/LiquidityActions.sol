// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPositionManager, IUniswapV3Factory} from "../interfaces/IUniswapV3.sol";
import {AbiReader} from "./AbiReader.sol";
import {ActionClass} from "./ActionClass.sol";
import {Actions} from "./Actions.sol";
import {StaticRead} from "./StaticRead.sol";
import {Mandate} from "./Mandate.sol";
import {Methods} from "./Methods.sol";
import {Plan} from "./Plan.sol";
import {SwapActions} from "./SwapActions.sol";

/// @title Liquidity through Uniswap V3's NonfungiblePositionManager
library LiquidityActions {
    using AbiReader for bytes;
    using Mandate for bytes;

    /// @notice Thrown when liquidity is added to a pool that is not signed, or to a second one.
    error PoolNotAllowed(address pool);
    /// @notice Thrown when liquidity is added to a position of another owner.
    error PositionNotOwned(uint256 tokenId, address owner);

    function manager(Plan p, bytes calldata mandate, address target, bytes calldata data) internal view {
        bytes4 selector = data.selector();
        if (selector != Methods.MULTICALL) return _managerCall(p, mandate, target, selector, data);
        uint256 table = data.follow(4, 4);
        uint256 count = data.word(table);
        unchecked {
            // `table` lies inside the data, and `bytesAt` reverts for the first offset that does not: no sum comes near
            // 2^256.
            table += 32;
            for (uint256 i; i < count; ++i) {
                bytes calldata inner = data.bytesAt(table, table + 32 * i);
                bytes4 innerSelector = inner.selector();
                if (innerSelector == Methods.MULTICALL) revert SwapActions.NestedTooDeep(target);
                _managerCall(p, mandate, target, innerSelector, inner);
            }
        }
    }

    function _managerCall(Plan p, bytes calldata mandate, address target, bytes4 selector, bytes calldata data)
        private
        view
    {
        if (selector == Methods.MINT_POSITION && data.length == 356) {
            p.addMethod(Methods.MINT_POSITION_BIT);
            address recipient = data.loadAddress(292);
            if (recipient != p.account()) revert SwapActions.RecipientNotAccount(recipient);
            _intoPool(p, mandate, target, data.loadAddress(4), data.loadAddress(36), data.load(68));
            _leaves(p, mandate, data.loadAddress(4), data.load(164));
            _leaves(p, mandate, data.loadAddress(36), data.load(196));
        } else if (selector == Methods.INCREASE_LIQUIDITY && data.length == 196) {
            p.addMethod(Methods.INCREASE_LIQUIDITY_BIT);
            (address token0, address token1) = _ownPosition(p, mandate, target, data.load(4));
            _leaves(p, mandate, token0, data.load(36));
            _leaves(p, mandate, token1, data.load(68));
        } else if (selector == Methods.DECREASE_LIQUIDITY && data.length == 164) {
            p.addMethod(Methods.DECREASE_LIQUIDITY_BIT);
            p.addClass(ActionClass.REMOVE_LIQUIDITY);
        } else if (selector == Methods.COLLECT && data.length == 132) {
            p.addMethod(Methods.COLLECT_BIT);
            p.addClass(ActionClass.REMOVE_LIQUIDITY);
            // The position manager reads address 0 as itself, where anyone may sweep the tokens.
            address recipient = data.loadAddress(36);
            if (recipient != p.account()) revert SwapActions.RecipientNotAccount(recipient);
        } else if (selector == Methods.BURN_POSITION && data.length == 36) {
            p.addMethod(Methods.BURN_POSITION_BIT);
            p.addClass(ActionClass.REMOVE_LIQUIDITY);
        } else {
            revert Actions.MethodUnknown(target, selector);
        }
    }

    function _ownPosition(Plan p, bytes calldata mandate, address target, uint256 tokenId)
        private
        view
        returns (address token0, address token1)
    {
        address owner;
        // A position that does not exist has no owner.
        try IPositionManager(target).ownerOf(tokenId) returns (address found) {
            owner = found;
        } catch {}
        if (owner != p.account()) revert PositionNotOwned(tokenId, owner);
        // After nonce and operator: both tokens and the fee; the rest is not needed.
        bytes4 question = IPositionManager.positions.selector;
        (bool answered, uint256 first, uint256 second, uint256 fee) = StaticRead.three(target, question, tokenId, 2);
        if (!answered) revert StaticRead.NoAnswer(target, question);
        (token0, token1) = (address(uint160(first)), address(uint160(second)));
        _intoPool(p, mandate, target, token0, token1, fee);
    }

    function _intoPool(Plan p, bytes calldata mandate, address target, address token0, address token1, uint256 fee)
        private
        view
    {
        p.addClass(ActionClass.ADD_LIQUIDITY);
        address factory = StaticRead.addressOf(target, IPositionManager.factory.selector);
        address pool = IUniswapV3Factory(factory).getPool(token0, token1, uint24(fee));
        if (mandate.kindOf(pool) != Mandate.POOL || (p.pool() != address(0) && p.pool() != pool)) {
            revert PoolNotAllowed(pool);
        }
        p.setPool(pool);
    }

    /// @dev Counts the maximum that it may take, although the account receives a position: a position is not money.
    function _leaves(Plan p, bytes calldata mandate, address token, uint256 amount) private pure {
        p.leaves(Actions.tracked(mandate, token), amount);
    }
}
