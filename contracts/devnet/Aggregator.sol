// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPriceFeed} from "../src/interfaces/IPriceFeed.sol";

/// @title The local world's price source, with Chainlink's interface and gas costs: rounds in storage
contract Aggregator is IPriceFeed {
    /// @notice Thrown when the caller is not the faucet.
    error NotReporter(address caller);

    struct Round {
        int192 answer;
        uint64 timestamp;
    }

    uint8 public constant decimals = 8;
    address public immutable reporter;
    uint80 public latestRound;
    mapping(uint80 round => Round) private _rounds;

    constructor(address reporter_, int192 answer) {
        reporter = reporter_;
        _post(answer);
    }

    function post(int192 answer) external {
        require(msg.sender == reporter, NotReporter(msg.sender));
        _post(answer);
    }

    function latestRoundData() external view returns (uint80, int256, uint256, uint256, uint80) {
        Round memory round = _rounds[latestRound];
        return (latestRound, round.answer, round.timestamp, round.timestamp, latestRound);
    }

    function _post(int192 answer) private {
        _rounds[++latestRound] = Round(answer, uint64(block.timestamp));
    }
}
