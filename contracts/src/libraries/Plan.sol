// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title What an execution is about to do, as far as its calldata says
struct Plan {
    /// @dev The account that executes, and that all value must come back to.
    address account;
    /// @dev The place of the asset that unwinding goes into.
    uint256 settlement;
    /// @dev Who is owed a royalty; zero for nobody.
    address author;
    /// @dev A contract of ours that no session may call, whatever was signed.
    address oracle;
    /// @dev Bits of `ActionClass`.
    uint256 classes;
    /// @dev Bits of `Methods`.
    uint256 methods;
    /// @dev Bit 8 × from + to for every ordered pair of assets that is swapped.
    uint256 pairs;
    /// @dev What leaves by calldata, per asset.
    uint256[8] out;
    /// @dev Approvals that must be gone in the end: spender | asset << 160 | (1 << 168 for one inside Permit2).
    uint256 approvals;
    uint256[8] approval;
    /// @dev The pool that liquidity goes into, if any.
    address pool;
    /// @dev What of it goes to the author, per asset.
    uint256[8] royalty;
}
