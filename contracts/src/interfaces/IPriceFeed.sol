// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The part of Chainlink's aggregator that prices are read through
interface IPriceFeed {
    /// @notice The number of decimals of an answer.
    function decimals() external view returns (uint8);

    /// @notice The latest price.
    /// @return roundId the number of the round
    /// @return answer the price; not positive if the feed failed
    /// @return startedAt when the round started, in Unix seconds
    /// @return updatedAt when the answer was computed, in Unix seconds
    /// @return answeredInRound deprecated by Chainlink
    function latestRoundData()
        external
        view
        returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
}
