// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The part of Permit2 that Bardo reads
interface IPermit2 {
    /// @notice What a spender may transfer of an owner's token, and until when.
    /// @param owner the holder of the token
    /// @param token the ERC-20 token
    /// @param spender the account that may transfer it
    /// @return amount the allowance in base units
    /// @return expiration the last second at which it is valid
    /// @return nonce the nonce that the owner's next signature must carry
    function allowance(address owner, address token, address spender)
        external
        view
        returns (uint160 amount, uint48 expiration, uint48 nonce);
}
