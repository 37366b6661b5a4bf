// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title The local world's Wrapped BTC: a plain ERC-20 with 8 decimals
contract Wbtc is ERC20 {
    /// @notice Thrown when the caller is not the minter.
    error NotMinter(address caller);

    /// @notice The only account that may mint WBTC here: the local faucet.
    address public immutable minter;

    constructor(address minter_) ERC20("Wrapped BTC", "WBTC") {
        minter = minter_;
    }

    function decimals() public pure override returns (uint8) {
        return 8;
    }

    function mint(address to, uint256 value) external {
        require(msg.sender == minter, NotMinter(msg.sender));
        _mint(to, value);
    }
}
