// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The local world's publishing contract
/// @dev Anyone can publish, and nothing of value moves: what an observer may call.
contract PublicOracle {
    event Published(address indexed publisher, bytes32 indexed topic, int256 value);

    /// @notice Thrown when nothing was published for a topic.
    error NothingPublished(address publisher, bytes32 topic);

    mapping(address publisher => mapping(bytes32 topic => int256)) private _values;
    mapping(address publisher => mapping(bytes32 topic => bool)) private _isPublished;

    function publish(bytes32 topic, int256 value) external {
        _values[msg.sender][topic] = value;
        _isPublished[msg.sender][topic] = true;
        emit Published(msg.sender, topic, value);
    }

    function valueOf(address publisher, bytes32 topic) external view returns (int256) {
        if (!_isPublished[publisher][topic]) revert NothingPublished(publisher, topic);
        return _values[publisher][topic];
    }
}
