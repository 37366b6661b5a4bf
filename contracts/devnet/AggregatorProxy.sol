// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPriceFeed} from "../src/interfaces/IPriceFeed.sol";

/// @title The contract at a feed's address: a proxy to the current aggregator, as on every real chain
contract AggregatorProxy is IPriceFeed {
    IPriceFeed public aggregator;

    constructor(IPriceFeed aggregator_) {
        aggregator = aggregator_;
    }

    function decimals() external view returns (uint8) {
        return aggregator.decimals();
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        return aggregator.latestRoundData();
    }
}
