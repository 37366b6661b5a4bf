// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";

/// @title ERC-8004's identity registry
/// @notice An agent is an ERC-721 token. Its owner, or an account that the owner approved, manages its registration
///         file, its metadata and the wallet that acts for it.
interface IIdentityRegistry is IERC721 {
    struct MetadataEntry {
        string metadataKey;
        bytes metadataValue;
    }

    event Registered(uint256 indexed agentId, string agentURI, address indexed owner);
    event MetadataSet(
        uint256 indexed agentId, string indexed indexedMetadataKey, string metadataKey, bytes metadataValue
    );
    event URIUpdated(uint256 indexed agentId, string newURI, address indexed updatedBy);

    /// @notice Thrown when the key "agentWallet" is set as metadata. `setAgentWallet` sets it, with the wallet's
    ///         consent.
    error ReservedMetadataKey(string metadataKey);
    /// @notice Thrown when the wallet is zero. `unsetAgentWallet` removes it.
    error WalletIsZero(uint256 agentId);
    /// @notice Thrown when the deadline of the wallet's consent has passed.
    error ConsentExpired(uint256 deadline, uint256 timestamp);
    /// @notice Thrown when the wallet's consent is valid for more than five minutes.
    error ConsentTooLong(uint256 deadline, uint256 latest);
    /// @notice Thrown when the wallet did not sign this agent, owner and deadline for this contract and chain.
    error InvalidWalletSignature(address wallet);

    /// @notice Mints an agent to the caller, who is also its first agent wallet.
    function register() external returns (uint256 agentId);

    function register(string calldata agentURI) external returns (uint256 agentId);

    function register(string calldata agentURI, MetadataEntry[] calldata metadata) external returns (uint256 agentId);

    function setAgentURI(uint256 agentId, string calldata newURI) external;

    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory);

    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue) external;

    /// @notice The wallet that acts for the agent; zero for none. A transfer clears it.
    function getAgentWallet(uint256 agentId) external view returns (address);

    /// @param signature by `newWallet` (a key, a 7702 account or an ERC-1271 contract), over
    ///        `AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)`
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature) external;

    function unsetAgentWallet(uint256 agentId) external;

    /// @notice Whether an account may act for the agent's owner. Reverts for an agent that does not exist.
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool);
}
