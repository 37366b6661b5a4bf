// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Every method that Bardo can decode, each with its bit
/// @dev An owner signs a set of methods as 24 bits. Methods that are not in this list are refused, whatever was signed.
library Methods {
    // ERC-20 and native currency.
    bytes4 internal constant TRANSFER = 0xa9059cbb; // transfer(address,uint256)
    bytes4 internal constant APPROVE = 0x095ea7b3; // approve(address,uint256)
    uint256 internal constant TRANSFER_BIT = 1 << 0;
    uint256 internal constant APPROVE_BIT = 1 << 1;
    uint256 internal constant NATIVE_BIT = 1 << 2;

    // Permit2.
    bytes4 internal constant PERMIT2_APPROVE = 0x87517c45; // approve(address,address,uint160,uint48)
    uint256 internal constant PERMIT2_APPROVE_BIT = 1 << 3;

    // SwapRouter02.
    bytes4 internal constant EXACT_INPUT_SINGLE = 0x04e45aaf;
    bytes4 internal constant EXACT_INPUT = 0xb858183f;
    bytes4 internal constant EXACT_OUTPUT_SINGLE = 0x5023b4df;
    bytes4 internal constant EXACT_OUTPUT = 0x09b81346;
    bytes4 internal constant MULTICALL = 0xac9650d8; // multicall(bytes[])
    bytes4 internal constant MULTICALL_DEADLINE = 0x5ae401dc; // multicall(uint256,bytes[])
    uint256 internal constant EXACT_INPUT_SINGLE_BIT = 1 << 4;
    uint256 internal constant EXACT_INPUT_BIT = 1 << 5;
    uint256 internal constant EXACT_OUTPUT_SINGLE_BIT = 1 << 6;
    uint256 internal constant EXACT_OUTPUT_BIT = 1 << 7;

    // UniversalRouter.
    bytes4 internal constant EXECUTE = 0x24856bc3; // execute(bytes,bytes[])
    bytes4 internal constant EXECUTE_DEADLINE = 0x3593564c; // execute(bytes,bytes[],uint256)
    uint256 internal constant EXECUTE_BIT = 1 << 8;

    // NonfungiblePositionManager.
    bytes4 internal constant MINT_POSITION = 0x88316456;
    bytes4 internal constant INCREASE_LIQUIDITY = 0x219f5d17;
    bytes4 internal constant DECREASE_LIQUIDITY = 0x0c49ccbe;
    bytes4 internal constant COLLECT = 0xfc6f7865;
    bytes4 internal constant BURN_POSITION = 0x42966c68; // burn(uint256)
    uint256 internal constant MINT_POSITION_BIT = 1 << 9;
    uint256 internal constant INCREASE_LIQUIDITY_BIT = 1 << 10;
    uint256 internal constant DECREASE_LIQUIDITY_BIT = 1 << 11;
    uint256 internal constant COLLECT_BIT = 1 << 12;
    uint256 internal constant BURN_POSITION_BIT = 1 << 13;

    // ERC-4626.
    bytes4 internal constant DEPOSIT = 0x6e553f65; // deposit(uint256,address)
    bytes4 internal constant MINT_SHARES = 0x94bf804d; // mint(uint256,address)
    bytes4 internal constant WITHDRAW = 0xb460af94; // withdraw(uint256,address,address)
    bytes4 internal constant REDEEM = 0xba087652; // redeem(uint256,address,address)
    uint256 internal constant DEPOSIT_BIT = 1 << 14;
    uint256 internal constant MINT_SHARES_BIT = 1 << 15;
    uint256 internal constant WITHDRAW_BIT = 1 << 16;
    uint256 internal constant REDEEM_BIT = 1 << 17;

    // A method that the owner signed by its selector.
    uint256 internal constant SIGNED_BIT = 1 << 18;

    uint256 internal constant ALL = (1 << 19) - 1;
}
