// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPositionManager, IUniswapV3Factory} from "../interfaces/IUniswapV3.sol";
import {AbiReader} from "./AbiReader.sol";
import {ActionClass} from "./ActionClass.sol";
import {Actions} from "./Actions.sol";
import {Mandate} from "./Mandate.sol";
import {Methods} from "./Methods.sol";
import {Plan} from "./Plan.sol";
import {SwapActions} from "./SwapActions.sol";

/// @title Liquidity through Uniswap V3's NonfungiblePositionManager
library LiquidityActions {
    using AbiReader for bytes;
    using Mandate for bytes;

    /// @notice Liquidity goes into one signed pool per execution.
    error PoolNotAllowed(address pool);
    /// @notice Liquidity added to somebody else's position is a gift.
    error PositionNotOwned(uint256 tokenId, address owner);

    function manager(Plan memory p, bytes calldata mandate, address target, bytes calldata data) internal view {
        bytes4 selector = data.length < 4 ? bytes4(0) : bytes4(data[:4]);
        if (selector != Methods.MULTICALL) return _managerCall(p, mandate, target, selector, data);
        uint256 table = data.follow(4, 4);
        uint256 count = data.word(table);
        table += 32;
        for (uint256 i; i < count; ++i) {
            bytes calldata inner = data.bytesAt(table, table + 32 * i);
            bytes4 innerSelector = inner.length < 4 ? bytes4(0) : bytes4(inner[:4]);
            if (innerSelector == Methods.MULTICALL) revert SwapActions.NestedTooDeep(target);
            _managerCall(p, mandate, target, innerSelector, inner);
        }
    }

    function _managerCall(Plan memory p, bytes calldata mandate, address target, bytes4 selector, bytes calldata data)
        private
        view
    {
        if (selector == Methods.MINT_POSITION && data.length == 356) {
            p.methods |= Methods.MINT_POSITION_BIT;
            address recipient = data.addressAt(292);
            if (recipient != p.account) revert SwapActions.RecipientNotAccount(recipient);
            _intoPool(p, mandate, target, data.addressAt(4), data.addressAt(36), data.word(68));
            _leaves(p, mandate, data.addressAt(4), data.word(164));
            _leaves(p, mandate, data.addressAt(36), data.word(196));
        } else if (selector == Methods.INCREASE_LIQUIDITY && data.length == 196) {
            p.methods |= Methods.INCREASE_LIQUIDITY_BIT;
            (address token0, address token1) = _ownPosition(p, mandate, target, data.word(4));
            _leaves(p, mandate, token0, data.word(36));
            _leaves(p, mandate, token1, data.word(68));
        } else if (selector == Methods.DECREASE_LIQUIDITY && data.length == 164) {
            p.methods |= Methods.DECREASE_LIQUIDITY_BIT;
            p.classes |= ActionClass.REMOVE_LIQUIDITY;
        } else if (selector == Methods.COLLECT && data.length == 132) {
            p.methods |= Methods.COLLECT_BIT;
            p.classes |= ActionClass.REMOVE_LIQUIDITY;
            // The manager reads address 0 as "myself", where anybody may sweep it.
            address recipient = data.addressAt(36);
            if (recipient != p.account) revert SwapActions.RecipientNotAccount(recipient);
        } else if (selector == Methods.BURN_POSITION && data.length == 36) {
            p.methods |= Methods.BURN_POSITION_BIT;
            p.classes |= ActionClass.REMOVE_LIQUIDITY;
        } else {
            revert Actions.MethodUnknown(target, selector);
        }
    }

    function _ownPosition(Plan memory p, bytes calldata mandate, address target, uint256 tokenId)
        private
        view
        returns (address token0, address token1)
    {
        address owner = IPositionManager(target).ownerOf(tokenId);
        if (owner != p.account) revert PositionNotOwned(tokenId, owner);
        IPositionManager.Position memory position = IPositionManager(target).positions(tokenId);
        (token0, token1) = (position.token0, position.token1);
        _intoPool(p, mandate, target, token0, token1, position.fee);
    }

    function _intoPool(
        Plan memory p,
        bytes calldata mandate,
        address target,
        address token0,
        address token1,
        uint256 fee
    ) private view {
        p.classes |= ActionClass.ADD_LIQUIDITY;
        address pool = IUniswapV3Factory(IPositionManager(target).factory()).getPool(token0, token1, uint24(fee));
        (uint8 kind,) = mandate.targetOf(pool);
        if (kind != Mandate.POOL || (p.pool != address(0) && p.pool != pool)) revert PoolNotAllowed(pool);
        p.pool = pool;
    }

    /// @dev Counts for what it may take at most, although a position comes back: a position is not money.
    function _leaves(Plan memory p, bytes calldata mandate, address token, uint256 amount) private pure {
        Actions.leaves(p, Actions.tracked(mandate, token), amount);
    }
}
