// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC165} from "@openzeppelin/contracts/interfaces/IERC165.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {Test} from "forge-std/Test.sol";
import {IdentityRegistry} from "../../src/identity/IdentityRegistry.sol";
import {IIdentityRegistry} from "../../src/interfaces/IIdentityRegistry.sol";

interface IHybridAccount {
    function initialize(address owner, string[] calldata keyIds, uint256[] calldata xs, uint256[] calldata ys) external;
}

/// Registers, and transfers the agent while it is being minted.
contract HotPotato {
    address private immutable _next;

    constructor(address next) {
        _next = next;
    }

    function register(IIdentityRegistry registry) external returns (uint256) {
        return registry.register("hot");
    }

    function onERC721Received(address, address, uint256 agentId, bytes calldata) external returns (bytes4) {
        IERC721(msg.sender).transferFrom(address(this), _next, agentId);
        return this.onERC721Received.selector;
    }
}

contract IdentityRegistryTest is Test {
    IdentityRegistry private registry;

    uint256 private walletKey = uint256(keccak256("wallet"));
    address private wallet = vm.addr(walletKey);
    address private owner = makeAddr("owner");
    address private buyer = makeAddr("buyer");
    uint256 private agent;

    function setUp() public {
        vm.warp(1_800_000_000);
        registry = new IdentityRegistry();
        vm.prank(owner);
        agent = registry.register("ipfs://golem");
    }

    // ---- register

    function test_register_withNothing() public {
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.Registered(agent + 1, "", buyer);
        vm.prank(buyer);
        uint256 id = registry.register();
        assertEq(id, agent + 1);
        assertEq(registry.ownerOf(id), buyer);
        assertEq(registry.tokenURI(id), "");
        assertEq(registry.getAgentWallet(id), buyer);
    }

    function test_register_withUri() public view {
        assertEq(agent, 0);
        assertEq(registry.ownerOf(agent), owner);
        assertEq(registry.tokenURI(agent), "ipfs://golem");
        assertEq(registry.getAgentWallet(agent), owner);
        assertEq(registry.getMetadata(agent, "agentWallet"), abi.encodePacked(owner));
        assertEq(registry.name(), "AgentIdentity");
        assertEq(registry.symbol(), "AGENT");
    }

    function test_register_withMetadata(bytes calldata value) public {
        IIdentityRegistry.MetadataEntry[] memory metadata = new IIdentityRegistry.MetadataEntry[](2);
        metadata[0] = IIdentityRegistry.MetadataEntry("phase", value);
        metadata[1] = IIdentityRegistry.MetadataEntry("clade", "stone");
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.MetadataSet(1, "agentWallet", "agentWallet", abi.encodePacked(buyer));
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.MetadataSet(1, "phase", "phase", value);
        vm.prank(buyer);
        uint256 id = registry.register("uri", metadata);
        assertEq(registry.getMetadata(id, "phase"), value);
        assertEq(registry.getMetadata(id, "clade"), "stone");
        assertEq(registry.getAgentWallet(id), buyer);
    }

    function test_register_revert_metadataNamesAWallet() public {
        IIdentityRegistry.MetadataEntry[] memory metadata = new IIdentityRegistry.MetadataEntry[](1);
        metadata[0] = IIdentityRegistry.MetadataEntry("agentWallet", abi.encodePacked(wallet));
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.ReservedMetadataKey.selector, "agentWallet"));
        vm.prank(buyer);
        registry.register("uri", metadata);
    }

    /// If the wallet were written after the mint, it would survive this transfer.
    function test_register_handedOnWhileMinted() public {
        HotPotato potato = new HotPotato(buyer);
        uint256 id = potato.register(registry);
        assertEq(registry.ownerOf(id), buyer);
        assertEq(registry.getAgentWallet(id), address(0));
    }

    // ---- who may

    function test_write_byOwnerOperatorOrApproved() public {
        address operator = makeAddr("operator");
        address approved = makeAddr("approved");
        vm.startPrank(owner);
        registry.setApprovalForAll(operator, true);
        registry.approve(approved, agent);
        vm.stopPrank();
        address[3] memory callers = [owner, operator, approved];
        for (uint256 i; i < callers.length; i++) {
            assertTrue(registry.isAuthorizedOrOwner(callers[i], agent));
            bytes memory consent = _consent(walletKey, agent, wallet, owner, block.timestamp);
            vm.startPrank(callers[i]);
            registry.setAgentURI(agent, "new");
            registry.setMetadata(agent, "key", "value");
            registry.setAgentWallet(agent, wallet, block.timestamp, consent);
            registry.unsetAgentWallet(agent);
            vm.stopPrank();
        }
    }

    function test_write_revert_stranger(address stranger) public {
        vm.assume(stranger != owner);
        assertFalse(registry.isAuthorizedOrOwner(stranger, agent));
        bytes memory consent = _consent(walletKey, agent, wallet, owner, block.timestamp);
        bytes memory refused =
            abi.encodeWithSelector(IERC721Errors.ERC721InsufficientApproval.selector, stranger, agent);
        vm.startPrank(stranger);
        vm.expectRevert(refused);
        registry.setAgentURI(agent, "mine");
        vm.expectRevert(refused);
        registry.setMetadata(agent, "key", "value");
        vm.expectRevert(refused);
        registry.setAgentWallet(agent, wallet, block.timestamp, consent);
        vm.expectRevert(refused);
        registry.unsetAgentWallet(agent);
    }

    function test_write_revert_unknownAgent(uint256 id) public {
        vm.assume(id != agent);
        bytes memory unknown = abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, id);
        vm.startPrank(owner);
        vm.expectRevert(unknown);
        registry.setAgentURI(id, "");
        vm.expectRevert(unknown);
        registry.setMetadata(id, "key", "");
        vm.expectRevert(unknown);
        registry.setAgentWallet(id, wallet, block.timestamp, "");
        vm.expectRevert(unknown);
        registry.unsetAgentWallet(id);
        vm.expectRevert(unknown);
        registry.isAuthorizedOrOwner(owner, id);
        assertEq(registry.getAgentWallet(id), address(0));
    }

    // ---- URI and metadata

    function test_setAgentURI(string calldata uri) public {
        vm.expectEmit(address(registry));
        emit IERC4906.MetadataUpdate(agent);
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.URIUpdated(agent, uri, owner);
        vm.prank(owner);
        registry.setAgentURI(agent, uri);
        assertEq(registry.tokenURI(agent), uri);
    }

    function test_setMetadata(string calldata key, bytes calldata value) public {
        vm.assume(keccak256(bytes(key)) != keccak256("agentWallet"));
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.MetadataSet(agent, key, key, value);
        vm.prank(owner);
        registry.setMetadata(agent, key, value);
        assertEq(registry.getMetadata(agent, key), value);
        assertEq(registry.getMetadata(agent + 1, key), "");
    }

    function test_setMetadata_revert_agentWallet() public {
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.ReservedMetadataKey.selector, "agentWallet"));
        vm.prank(owner);
        registry.setMetadata(agent, "agentWallet", abi.encodePacked(wallet));
    }

    function test_supportsInterface() public view {
        assertTrue(registry.supportsInterface(type(IERC721).interfaceId));
        assertTrue(registry.supportsInterface(type(IERC165).interfaceId));
        assertTrue(registry.supportsInterface(0x49064906));
        assertFalse(registry.supportsInterface(0xffffffff));
    }

    // ---- the agent wallet

    function test_setAgentWallet_withTheWalletsConsent(uint256 ahead) public {
        uint256 deadline = block.timestamp + bound(ahead, 0, 5 minutes);
        bytes memory consent = _consent(walletKey, agent, wallet, owner, deadline);
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.MetadataSet(agent, "agentWallet", "agentWallet", abi.encodePacked(wallet));
        vm.prank(owner);
        registry.setAgentWallet(agent, wallet, deadline, consent);
        assertEq(registry.getAgentWallet(agent), wallet);
        assertEq(registry.getMetadata(agent, "agentWallet"), abi.encodePacked(wallet));
    }

    function test_setAgentWallet_sessionAccountWithErc1271() public {
        address account = _hybridAccount(wallet);
        bytes memory consent = _consent(walletKey, agent, account, owner, block.timestamp);
        vm.prank(owner);
        registry.setAgentWallet(agent, account, block.timestamp, consent);
        assertEq(registry.getAgentWallet(agent), account);
    }

    /// The code of a 7702 account may not support ERC-1271; its key still signs for it.
    function test_setAgentWallet_upgradedEoaWhoseCodeKnowsNoErc1271() public {
        vm.signAndAttachDelegation(address(registry), walletKey);
        assertEq(wallet.code.length, 23);
        bytes memory consent = _consent(walletKey, agent, wallet, owner, block.timestamp);
        vm.prank(owner);
        registry.setAgentWallet(agent, wallet, block.timestamp, consent);
        assertEq(registry.getAgentWallet(agent), wallet);
    }

    function test_setAgentWallet_revert_notSignedByTheWallet() public {
        bytes memory forged = _consent(uint256(keccak256("thief")), agent, wallet, owner, block.timestamp);
        _expectNoConsent(wallet, block.timestamp, forged);
        _expectNoConsent(wallet, block.timestamp, "");
        _expectNoConsent(_hybridAccount(buyer), block.timestamp, forged);
    }

    function test_setAgentWallet_revert_consentForAnotherAgent() public {
        bytes memory consent = _consent(walletKey, agent + 1, wallet, owner, block.timestamp);
        _expectNoConsent(wallet, block.timestamp, consent);
    }

    function test_setAgentWallet_revert_consentWithAnotherDeadline() public {
        bytes memory consent = _consent(walletKey, agent, wallet, owner, block.timestamp + 1);
        _expectNoConsent(wallet, block.timestamp, consent);
    }

    function test_setAgentWallet_revert_anotherChain() public {
        bytes memory consent = _consent(walletKey, agent, wallet, owner, block.timestamp);
        vm.chainId(8453);
        _expectNoConsent(wallet, block.timestamp, consent);
    }

    function test_setAgentWallet_revert_anotherRegistry() public {
        bytes memory consent = _consent(walletKey, agent, wallet, owner, block.timestamp);
        registry = new IdentityRegistry();
        vm.prank(owner);
        registry.register();
        _expectNoConsent(wallet, block.timestamp, consent);
    }

    /// The buyer of an agent replays a signature that its wallet gave to the seller.
    function test_setAgentWallet_revert_replayedAfterATransfer() public {
        uint256 deadline = block.timestamp + 5 minutes;
        bytes memory consent = _consent(walletKey, agent, wallet, owner, deadline);
        vm.startPrank(owner);
        registry.setAgentWallet(agent, wallet, deadline, consent);
        registry.transferFrom(owner, buyer, agent);
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.InvalidWalletSignature.selector, wallet));
        vm.prank(buyer);
        registry.setAgentWallet(agent, wallet, deadline, consent);
    }

    function test_setAgentWallet_revert_expired(uint256 deadline) public {
        deadline = bound(deadline, 0, block.timestamp - 1);
        bytes memory consent = _consent(walletKey, agent, wallet, owner, deadline);
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.ConsentExpired.selector, deadline, block.timestamp));
        vm.prank(owner);
        registry.setAgentWallet(agent, wallet, deadline, consent);
    }

    function test_setAgentWallet_revert_tooFarAhead(uint256 deadline) public {
        uint256 latest = block.timestamp + 5 minutes;
        deadline = bound(deadline, latest + 1, type(uint256).max);
        bytes memory consent = _consent(walletKey, agent, wallet, owner, deadline);
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.ConsentTooLong.selector, deadline, latest));
        vm.prank(owner);
        registry.setAgentWallet(agent, wallet, deadline, consent);
    }

    function test_setAgentWallet_revert_zero() public {
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.WalletIsZero.selector, agent));
        vm.prank(owner);
        registry.setAgentWallet(agent, address(0), block.timestamp, "");
    }

    function test_unsetAgentWallet() public {
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.MetadataSet(agent, "agentWallet", "agentWallet", "");
        vm.prank(owner);
        registry.unsetAgentWallet(agent);
        assertEq(registry.getAgentWallet(agent), address(0));
        assertEq(registry.getMetadata(agent, "agentWallet"), "");
    }

    function test_transfer_clearsTheAgentWallet() public {
        vm.expectEmit(address(registry));
        emit IIdentityRegistry.MetadataSet(agent, "agentWallet", "agentWallet", "");
        vm.prank(owner);
        registry.transferFrom(owner, buyer, agent);
        assertEq(registry.getAgentWallet(agent), address(0));
    }

    // ----

    function _expectNoConsent(address newWallet, uint256 deadline, bytes memory consent) private {
        vm.expectRevert(abi.encodeWithSelector(IIdentityRegistry.InvalidWalletSignature.selector, newWallet));
        vm.prank(owner);
        registry.setAgentWallet(agent, newWallet, deadline, consent);
    }

    function _consent(uint256 key, uint256 id, address newWallet, address owner_, uint256 deadline)
        private
        view
        returns (bytes memory)
    {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("ERC8004IdentityRegistry"),
                keccak256("1"),
                block.chainid,
                address(registry)
            )
        );
        bytes32 typeHash = keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)");
        bytes32 structHash = keccak256(abi.encode(typeHash, id, newWallet, owner_, deadline));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    /// MetaMask's own account contract, from its own bytecode.
    function _hybridAccount(address signer) private returns (address) {
        address implementation =
            deployCode("out/protocols/HybridDeleGator.json", abi.encode(makeAddr("manager"), makeAddr("entryPoint")));
        bytes memory initialize =
            abi.encodeCall(IHybridAccount.initialize, (signer, new string[](0), new uint256[](0), new uint256[](0)));
        return address(new ERC1967Proxy(implementation, initialize));
    }
}
