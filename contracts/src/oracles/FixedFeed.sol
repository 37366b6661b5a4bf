// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ShortString, ShortStrings} from "@openzeppelin/contracts/utils/ShortStrings.sol";
import {IPriceFeed} from "../interfaces/IPriceFeed.sol";

/// @title A price that never changes
/// @notice For an asset that the owner takes at par ("a USDC is a dollar"), and for tests. It ignores the market: an
///         owner who signs it vouches for the price while the delegation is valid.
contract FixedFeed is IPriceFeed {
    uint8 public immutable decimals;
    int256 public immutable answer;
    ShortString private immutable _description;

    /// @param description_ at most 31 bytes, in Chainlink's format: "USDC / USD"
    constructor(int256 answer_, uint8 decimals_, string memory description_) {
        answer = answer_;
        decimals = decimals_;
        _description = ShortStrings.toShortString(description_);
    }

    function description() external view returns (string memory) {
        return ShortStrings.toString(_description);
    }

    /// @inheritdoc IPriceFeed
    /// @dev Always current: a constant price is never stale.
    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return (1, answer, block.timestamp, block.timestamp, 1);
    }
}
