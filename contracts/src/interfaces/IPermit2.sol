// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The part of Permit2 that Bardo reads
interface IPermit2 {
    function allowance(address owner, address token, address spender)
        external
        view
        returns (uint160 amount, uint48 expiration, uint48 nonce);
}
