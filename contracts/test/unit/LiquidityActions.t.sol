// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld} from "../CageWorld.sol";
import {Delegation, INonfungiblePositionManager} from "../Framework.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {LiquidityActions} from "../../src/libraries/LiquidityActions.sol";
import {SwapActions} from "../../src/libraries/SwapActions.sol";

/// @title The life of a position, through the real position manager
contract LiquidityActionsTest is CageWorld {
    /// @dev The position of the account that created the pool.
    uint256 private constant OF_ANOTHER = 1;

    bool private usdcFirst;

    function setUp() public override {
        super.setUp();
        usdcFirst = address(usdc) < address(weth);
        vm.startPrank(account);
        usdc.approve(address(positions), type(uint256).max);
        weth.approve(address(positions), type(uint256).max);
        vm.stopPrank();
    }

    /// @dev Adding counts for both amounts that it may take; an inflow counts for nothing.
    function test_life() public {
        _redeem(_delegated(), SINGLE, _single(address(positions), 0, _mint(500, account)));
        assertEq(_spent(), 60_00);
        _redeem(_delegated(), SINGLE, _single(address(positions), 0, _increase(2)));
        assertEq(_spent(), 120_00);
        vm.prank(account);
        (uint256 id, uint128 liquidity,,) = _mintDirectly();

        uint256 before = usdc.balanceOf(account);
        bytes[] memory calls = new bytes[](3);
        (calls[0], calls[1], calls[2]) = (_decrease(id, liquidity), _collect(id, account), _burn(id));
        _redeem(_delegated(), SINGLE, _single(address(positions), 0, _multicall(calls)));
        assertGt(usdc.balanceOf(account), before);
        assertEq(positions.balanceOf(account), 1);
        assertEq(_spent(), 120_00);
    }

    function test_mint_revert_toStranger() public {
        _refused(_mint(500, thief), abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, thief));
    }

    function test_mint_revert_intoAnUnsignedPool() public {
        _refused(_mint(3_000, account), abi.encodeWithSelector(LiquidityActions.PoolNotAllowed.selector, address(0)));
    }

    /// @dev Liquidity added to another's position is given away.
    function test_increase_revert_positionOfAnother() public {
        bytes memory reason =
            abi.encodeWithSelector(LiquidityActions.PositionNotOwned.selector, OF_ANOTHER, address(this));
        _refused(_increase(OF_ANOTHER), reason);
    }

    /// @dev The position manager reads address 0 as itself, and lets anyone sweep its tokens.
    function test_collect_revert_toStrangerOrAlias() public {
        address[3] memory strangers = [thief, address(0), address(positions)];
        for (uint256 i; i < strangers.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, strangers[i]);
            _refused(_collect(2, strangers[i]), reason);
        }
    }

    function test_multicall_revert_strangerInside() public {
        bytes[] memory calls = new bytes[](2);
        (calls[0], calls[1]) = (_decrease(2, 1), _collect(2, thief));
        _refused(_multicall(calls), abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, thief));
    }

    function test_multicall_revert_nested() public {
        bytes[] memory calls = new bytes[](1);
        calls[0] = _multicall(new bytes[](0));
        _refused(_multicall(calls), abi.encodeWithSelector(SwapActions.NestedTooDeep.selector, positions));
    }

    function test_method_revert_unknown() public {
        bytes[4] memory unknown = [
            abi.encodeWithSignature("sweepToken(address,uint256,address)", usdc, 0, account),
            abi.encodeWithSignature("approve(address,uint256)", thief, 2),
            abi.encodeWithSignature("transferFrom(address,address,uint256)", account, thief, 2),
            abi.encodePacked(_burn(2), uint8(0))
        ];
        for (uint256 i; i < unknown.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(Actions.MethodUnknown.selector, positions, bytes4(unknown[i]));
            _refused(unknown[i], reason);
            bytes[] memory calls = new bytes[](1);
            calls[0] = unknown[i];
            _refused(_multicall(calls), reason);
        }
        _refused(hex"0102", abi.encodeWithSelector(Actions.MethodUnknown.selector, positions, bytes4(0)));
    }

    function _delegated() private view returns (Delegation memory) {
        return _caged(_bounds());
    }

    function _spent() private view returns (uint256) {
        return _spentCents(account, GOLEM);
    }

    function _refused(bytes memory data, bytes memory reason) private {
        Delegation memory d = _delegated();
        vm.expectRevert(reason);
        _redeem(d, SINGLE, _single(address(positions), 0, data));
    }

    /// @dev Thirty dollars of each.
    function _amounts() private view returns (uint256, uint256) {
        return usdcFirst ? (uint256(30e6), uint256(0.01 ether)) : (uint256(0.01 ether), uint256(30e6));
    }

    function _mintParams(uint24 fee, address recipient)
        private
        view
        returns (INonfungiblePositionManager.MintParams memory p)
    {
        (p.token0, p.token1) = usdcFirst ? (address(usdc), address(weth)) : (address(weth), address(usdc));
        (p.amount0Desired, p.amount1Desired) = _amounts();
        (p.fee, p.tickLower, p.tickUpper) = (fee, -887_220, 887_220);
        (p.recipient, p.deadline) = (recipient, type(uint256).max);
    }

    function _mint(uint24 fee, address recipient) private view returns (bytes memory) {
        return abi.encodeCall(INonfungiblePositionManager.mint, (_mintParams(fee, recipient)));
    }

    function _mintDirectly() private returns (uint256, uint128, uint256, uint256) {
        return positions.mint(_mintParams(500, account));
    }

    function _increase(uint256 id) private view returns (bytes memory) {
        (uint256 amount0, uint256 amount1) = _amounts();
        return abi.encodeCall(
            INonfungiblePositionManager.increaseLiquidity,
            (INonfungiblePositionManager.IncreaseLiquidityParams(id, amount0, amount1, 0, 0, type(uint256).max))
        );
    }

    function _decrease(uint256 id, uint128 liquidity) private pure returns (bytes memory) {
        return abi.encodeCall(
            INonfungiblePositionManager.decreaseLiquidity,
            (INonfungiblePositionManager.DecreaseLiquidityParams(id, liquidity, 0, 0, type(uint256).max))
        );
    }

    function _collect(uint256 id, address recipient) private pure returns (bytes memory) {
        return abi.encodeCall(
            INonfungiblePositionManager.collect,
            (INonfungiblePositionManager.CollectParams(id, recipient, type(uint128).max, type(uint128).max))
        );
    }

    function _burn(uint256 id) private pure returns (bytes memory) {
        return abi.encodeCall(INonfungiblePositionManager.burn, (id));
    }

    function _multicall(bytes[] memory calls) private pure returns (bytes memory) {
        return abi.encodeCall(INonfungiblePositionManager.multicall, (calls));
    }
}
