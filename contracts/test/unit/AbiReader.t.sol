// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "../../src/libraries/AbiReader.sol";
import {Test} from "forge-std/Test.sol";

/// @title The library as external functions: it reads calldata
contract Reader {
    function word(bytes calldata data, uint256 offset) external pure returns (uint256) {
        return AbiReader.word(data, offset);
    }

    function addressAt(bytes calldata data, uint256 offset) external pure returns (address) {
        return AbiReader.addressAt(data, offset);
    }

    function follow(bytes calldata data, uint256 base, uint256 head) external pure returns (uint256) {
        return AbiReader.follow(data, base, head);
    }

    function lengthAt(bytes calldata data, uint256 base, uint256 head) external pure returns (uint256) {
        return AbiReader.bytesAt(data, base, head).length;
    }
}

/// @title Nothing is read past the end of the data
contract AbiReaderTest is Test {
    Reader private reader = new Reader();

    function test_word_readsTheLast32Bytes() public view {
        assertEq(reader.word(abi.encode(1, 2), 32), 2);
    }

    function test_word_revert_pastTheEnd() public {
        _malformed(33, 64);
        reader.word(abi.encode(1, 2), 33);
        // 64 - 65 would wrap to a huge number.
        _malformed(65, 64);
        reader.word(abi.encode(1, 2), 65);
        _malformed(type(uint256).max, 64);
        reader.word(abi.encode(1, 2), type(uint256).max);
    }

    function test_addressAt_revert_pastTheEnd() public {
        _malformed(33, 64);
        reader.addressAt(abi.encode(1, 2), 33);
    }

    function test_addressAt_revert_dirtAboveTheAddress() public {
        _malformed(32, 64);
        reader.addressAt(abi.encode(1, uint256(1) << 160), 32);
        assertEq(reader.addressAt(abi.encode(1, type(uint160).max), 32), address(type(uint160).max));
    }

    function test_follow_leadsToTheEndAtMost() public view {
        assertEq(reader.follow(abi.encode(28), 4, 0), 32);
    }

    function test_follow_revert_pastTheEnd() public {
        // Relative to the base it points one byte too far.
        _malformed(29, 32);
        reader.follow(abi.encode(29), 4, 0);
        // The sum with the base would wrap to zero.
        _malformed(type(uint256).max - 3, 32);
        reader.follow(abi.encode(type(uint256).max - 3), 4, 0);
    }

    function test_bytesAt_revert_pastTheEnd() public {
        assertEq(reader.lengthAt(abi.encode(32, 32, 7), 0, 0), 32);
        _malformed(32, 96);
        reader.lengthAt(abi.encode(32, 33, 7), 0, 0);
        // 32 + 32 + length would wrap to zero, and to one byte inside the data.
        _malformed(32, 96);
        reader.lengthAt(abi.encode(32, type(uint256).max - 63, 7), 0, 0);
        _malformed(32, 96);
        reader.lengthAt(abi.encode(32, type(uint256).max, 7), 0, 0);
    }

    function _malformed(uint256 offset, uint256 length) private {
        vm.expectRevert(abi.encodeWithSelector(AbiReader.DataMalformed.selector, offset, length));
    }
}
