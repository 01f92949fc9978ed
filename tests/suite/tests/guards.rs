//! Which instances run: guards, `all_blocks`, `vector`. Each test fails when a guard is missing from the text.

use shmem::Side;
use shmem_suite::jobs::alone;
use shmem_suite::kernels::guards;

#[test]
fn a_default_kernel_runs_once_whatever_the_blocks() {
    alone(|world| {
        let stream = world.stream().unwrap();
        for blocks in [1, 3, 24] {
            let runs = world.device_value(0).unwrap();
            guards::once::launch(&stream, blocks, &runs).unwrap();
            stream.synchronize().unwrap();
            // Without the cube skip 2, without the block guard 2 * blocks.
            assert_eq!(runs.read().unwrap(), 1, "{blocks} blocks");
            guards::once_vector::launch(&stream, blocks, &runs).unwrap();
            stream.synchronize().unwrap();
            assert_eq!(runs.read().unwrap(), 2, "{blocks} blocks, vector");
        }
    });
}

#[test]
fn all_blocks_of_a_mixed_kernel_are_two_instances_a_block() {
    alone(|world| {
        let stream = world.stream().unwrap();
        for blocks in [1_u32, 3, 24] {
            let runs = world.device_slice(&[0; 64]).unwrap();
            let total = world.device_slice(&[0_u64; 64]).unwrap();
            guards::each::launch(&stream, blocks, &runs, &total).unwrap();
            stream.synchronize().unwrap();
            let instances = 2 * blocks as usize;
            let expected: Vec<i32> = (0..64).map(|i| i32::from(i < instances)).collect();
            assert_eq!(runs.read_vec().unwrap(), expected, "{blocks} blocks");
            assert!(
                total.read_vec().unwrap()[..instances]
                    .iter()
                    .all(|&num| num == instances as u64)
            );
        }
    });
}

#[test]
fn a_vector_kernel_at_n_blocks_is_n_instances_and_no_cube() {
    alone(|world| {
        let stream = world.stream().unwrap();
        for blocks in [1_u32, 3, 24] {
            let runs = world.device_slice(&[0; 64]).unwrap();
            let total = world.device_slice(&[0_u64; 64]).unwrap();
            guards::each_vector::launch(&stream, blocks, &runs, &total).unwrap();
            stream.synchronize().unwrap();
            let expected: Vec<i32> = (0..64).map(|i| i32::from(i < blocks)).collect();
            assert_eq!(runs.read_vec().unwrap(), expected, "{blocks} blocks");
            assert!(
                total.read_vec().unwrap()[..blocks as usize]
                    .iter()
                    .all(|&num| num == u64::from(blocks))
            );
        }
    });
}

#[test]
fn a_strided_loop_does_each_piece_of_work_once() {
    alone(|world| {
        let stream = world.stream().unwrap();
        for blocks in [1, 3, 24] {
            for pieces in [1_usize, 47, 1000] {
                let done = world.device_slice(&vec![0; pieces]).unwrap();
                guards::strided::launch(&stream, blocks, &done).unwrap();
                stream.synchronize().unwrap();
                assert_eq!(
                    done.read_vec().unwrap(),
                    vec![1; pieces],
                    "{blocks} blocks, {pieces} pieces"
                );
            }
        }
    });
}

#[test]
fn all_blocks_run_at_the_same_time() {
    alone(|world| {
        let stream = world.stream().unwrap();
        let arrived = world.alloc(Side::Device).zeroed::<i32>(48).unwrap();
        let met = world.device_slice(&[0; 48]).unwrap();
        guards::meet::launch(&stream, 24, &arrived, &met).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(met.read_vec().unwrap(), vec![1; 48]);
        arrived.free().unwrap();
    });
}

#[test]
fn an_unchecked_kernel_does_what_its_caller_promised() {
    alone(|world| {
        let stream = world.stream().unwrap();
        let cells = world.device_slice(&[0; 4]).unwrap();
        // SAFETY: 2 is less than 4.
        unsafe { guards::store_unchecked::launch(&stream, 1, &cells, 2, 7) }.unwrap();
        stream.synchronize().unwrap();
        assert_eq!(cells.read_vec().unwrap(), [0, 0, 7, 0]);
    });
}
