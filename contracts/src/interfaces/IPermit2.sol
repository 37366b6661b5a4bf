// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What Bardo reads of Permit2
interface IPermit2 {
    function allowance(address owner, address token, address spender)
        external
        view
        returns (uint160 amount, uint48 expiration, uint48 nonce);
}
