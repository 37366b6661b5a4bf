// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/interfaces/IERC165.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {IIdentityRegistry} from "../interfaces/IIdentityRegistry.sol";

/// @title An ERC-8004 identity registry for the local world
/// @notice Behaves like the deployed registries (version 2.0.0), except that its errors are custom errors. On real
///         chains use those.
contract IdentityRegistry is IIdentityRegistry, ERC721URIStorage, EIP712 {
    bytes32 private constant WALLET_TYPEHASH =
        keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
    string private constant WALLET_KEY = "agentWallet";
    uint256 private constant LONGEST_CONSENT = 5 minutes;

    uint256 private _count;
    mapping(uint256 agentId => mapping(string metadataKey => bytes)) private _metadata;

    constructor() ERC721("AgentIdentity", "AGENT") EIP712("ERC8004IdentityRegistry", "1") {}

    /// @dev Throughout: the owner, an operator of the owner, or the one account approved for the agent.
    modifier onlyAuthorized(uint256 agentId) {
        _checkAuthorized(_requireOwned(agentId), msg.sender, agentId);
        _;
    }

    /// @inheritdoc IIdentityRegistry
    function register() external returns (uint256) {
        return _register("", new MetadataEntry[](0));
    }

    /// @inheritdoc IIdentityRegistry
    function register(string calldata agentURI) external returns (uint256) {
        return _register(agentURI, new MetadataEntry[](0));
    }

    /// @inheritdoc IIdentityRegistry
    function register(string calldata agentURI, MetadataEntry[] calldata metadata) external returns (uint256) {
        return _register(agentURI, metadata);
    }

    /// @inheritdoc IIdentityRegistry
    function setAgentURI(uint256 agentId, string calldata newURI) external onlyAuthorized(agentId) {
        _setTokenURI(agentId, newURI);
        emit URIUpdated(agentId, newURI, msg.sender);
    }

    /// @inheritdoc IIdentityRegistry
    function getMetadata(uint256 agentId, string calldata metadataKey) external view returns (bytes memory) {
        return _metadata[agentId][metadataKey];
    }

    /// @inheritdoc IIdentityRegistry
    function setMetadata(uint256 agentId, string calldata metadataKey, bytes calldata metadataValue)
        external
        onlyAuthorized(agentId)
    {
        _setFreeMetadata(agentId, metadataKey, metadataValue);
    }

    /// @inheritdoc IIdentityRegistry
    function getAgentWallet(uint256 agentId) external view returns (address) {
        return address(bytes20(_metadata[agentId][WALLET_KEY]));
    }

    /// @inheritdoc IIdentityRegistry
    function setAgentWallet(uint256 agentId, address newWallet, uint256 deadline, bytes calldata signature)
        external
        onlyAuthorized(agentId)
    {
        if (newWallet == address(0)) revert WalletIsZero(agentId);
        if (block.timestamp > deadline) revert ConsentExpired(deadline, block.timestamp);
        uint256 latest = block.timestamp + LONGEST_CONSENT;
        if (deadline > latest) revert ConsentTooLong(deadline, latest);

        // The owner is signed too: consent given to one owner is not valid for the next.
        bytes32 digest =
            _hashTypedDataV4(keccak256(abi.encode(WALLET_TYPEHASH, agentId, newWallet, ownerOf(agentId), deadline)));
        if (!_signed(newWallet, digest, signature)) revert InvalidWalletSignature(newWallet);
        _setMetadata(agentId, WALLET_KEY, abi.encodePacked(newWallet));
    }

    /// @inheritdoc IIdentityRegistry
    function unsetAgentWallet(uint256 agentId) external onlyAuthorized(agentId) {
        _setMetadata(agentId, WALLET_KEY, "");
    }

    /// @inheritdoc IIdentityRegistry
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool) {
        return _isAuthorized(_requireOwned(agentId), spender, agentId);
    }

    function supportsInterface(bytes4 interfaceId) public view override(ERC721URIStorage, IERC165) returns (bool) {
        return super.supportsInterface(interfaceId);
    }

    /// @dev The token is minted last: its receiver may transfer it at once, which must find and clear the agent wallet.
    function _register(string memory agentURI, MetadataEntry[] memory metadata) private returns (uint256 agentId) {
        agentId = _count++;
        _setTokenURI(agentId, agentURI);
        emit Registered(agentId, agentURI, msg.sender);
        _setMetadata(agentId, WALLET_KEY, abi.encodePacked(msg.sender));
        for (uint256 i; i < metadata.length; i++) {
            _setFreeMetadata(agentId, metadata[i].metadataKey, metadata[i].metadataValue);
        }
        _safeMint(msg.sender, agentId);
    }

    function _setFreeMetadata(uint256 agentId, string memory key, bytes memory value) private {
        if (keccak256(bytes(key)) == keccak256(bytes(WALLET_KEY))) revert ReservedMetadataKey(key);
        _setMetadata(agentId, key, value);
    }

    function _setMetadata(uint256 agentId, string memory key, bytes memory value) private {
        _metadata[agentId][key] = value;
        emit MetadataSet(agentId, key, key, value);
    }

    /// @dev An EIP-7702 account has code and a key; its key's signature counts whatever the code says.
    function _signed(address wallet, bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(digest, signature);
        if (problem == ECDSA.RecoverError.NoError && signer == wallet) return true;
        return SignatureChecker.isValidERC1271SignatureNowCalldata(wallet, digest, signature);
    }

    /// @dev A wallet that acted for one owner does not act for the next.
    function _update(address to, uint256 agentId, address auth) internal override returns (address from) {
        from = super._update(to, agentId, auth);
        if (from != address(0)) _setMetadata(agentId, WALLET_KEY, "");
    }
}
