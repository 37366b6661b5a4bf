// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20, IERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC4626} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// @title The local world's ERC-4626 vault over USDC
/// @dev It earns nothing by itself: sending USDC to it raises the price of a share, which is how tests create yield.
contract UsdcVault is ERC4626 {
    constructor(IERC20 usdc) ERC20("Bardo Devnet USDC Vault", "bvUSDC") ERC4626(usdc) {}
}
