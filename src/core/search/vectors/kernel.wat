;; Exact dot products and weighted sums over int8 rows. Row lengths are multiples of 16.
;; Assembled into kernel-bytes.ts by scripts/build-kernel.ts.
(module
  (import "env" "memory" (memory 1 65536))

  ;; out[i] = rows[i] . query, for `count` rows; the query is int16. Two rows at a time share what is loaded of the query.
  (func (export "dot")
    (param $row i32) (param $query i32) (param $out i32) (param $count i32) (param $stride i32)
    (local $at i32) (local $end i32) (local $other i32) (local $has_other i32)
    (local $sum v128) (local $other_sum v128) (local $low v128) (local $high v128)
    (block $done
      (loop $next_rows
        (br_if $done (i32.le_s (local.get $count) (i32.const 0)))
        (local.set $at (local.get $query))
        (local.set $end (i32.add (local.get $row) (local.get $stride)))
        ;; the last of an odd number is its own other
        (local.set $has_other (i32.gt_s (local.get $count) (i32.const 1)))
        (local.set $other (select (local.get $end) (local.get $row) (local.get $has_other)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $other_sum (v128.const i32x4 0 0 0 0))
        (loop $next_lane
          (local.set $low (v128.load (local.get $at)))
          (local.set $high (v128.load offset=16 (local.get $at)))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $row)) (local.get $low))))
          (local.set $other_sum (i32x4.add (local.get $other_sum)
            (i32x4.dot_i16x8_s (v128.load8x8_s (local.get $other)) (local.get $low))))
          (local.set $sum (i32x4.add (local.get $sum)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $row)) (local.get $high))))
          (local.set $other_sum (i32x4.add (local.get $other_sum)
            (i32x4.dot_i16x8_s (v128.load8x8_s offset=8 (local.get $other)) (local.get $high))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $other (i32.add (local.get $other) (i32.const 16)))
          (br_if $next_lane (i32.lt_u (local.get $row) (local.get $end))))
        (i32.store (i32.add (local.get $out) (i32.shl (local.get $has_other) (i32.const 2)))
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $other_sum)) (i32x4.extract_lane 1 (local.get $other_sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $other_sum)) (i32x4.extract_lane 3 (local.get $other_sum)))))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $row (local.get $other))
        (local.set $out (i32.add (local.get $out) (i32.const 8)))
        (local.set $count (i32.sub (local.get $count) (i32.const 2)))
        (br $next_rows))))

  ;; out[i] = out[i] * scales[i] * query_scale, from int32 to float32, and -2 if the scale is 0. Four at a time: both arrays
  ;; have room for the rest.
  (func (export "scale")
    (param $out i32) (param $scales i32) (param $count i32) (param $query_scale f64)
    (local $dots v128) (local $factors v128) (local $whole v128)
    (local.set $whole (f64x2.splat (local.get $query_scale)))
    (block $done
      (loop $next
        (br_if $done (i32.le_s (local.get $count) (i32.const 0)))
        (local.set $dots (v128.load (local.get $out)))
        (local.set $factors (v128.load (local.get $scales)))
        (v128.store (local.get $out)
          (v128.bitselect
            (v128.const f32x4 -2 -2 -2 -2)
            (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
              (f32x4.demote_f64x2_zero
                (f64x2.mul
                  (f64x2.mul
                    (f64x2.convert_low_i32x4_s (local.get $dots))
                    (f64x2.promote_low_f32x4 (local.get $factors)))
                  (local.get $whole)))
              (f32x4.demote_f64x2_zero
                (f64x2.mul
                  (f64x2.mul
                    (f64x2.convert_low_i32x4_s
                      (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $dots) (local.get $dots)))
                    (f64x2.promote_low_f32x4
                      (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $factors) (local.get $factors))))
                  (local.get $whole))))
            (f32x4.eq (local.get $factors) (v128.const f32x4 0 0 0 0))))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (local.set $scales (i32.add (local.get $scales) (i32.const 16)))
        (local.set $count (i32.sub (local.get $count) (i32.const 4)))
        (br $next))))

  ;; sums[0..stride) += weight * rows[number], for each (number, weight) pair of `count`
  (func (export "sum")
    (param $rows i32) (param $pairs i32) (param $count i32) (param $sums i32) (param $stride i32)
    (local $row i32) (local $end i32) (local $to i32) (local $weight v128) (local $low v128) (local $high v128) (local $x v128)
    (block $done
      (loop $next_pair
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $row (i32.add (local.get $rows) (i32.mul (i32.load (local.get $pairs)) (local.get $stride))))
        (local.set $weight (f32x4.splat (f32.load offset=4 (local.get $pairs))))
        (local.set $end (i32.add (local.get $row) (local.get $stride)))
        (local.set $to (local.get $sums))
        (loop $next_lane
          (local.set $x (v128.load (local.get $row)))
          (local.set $low (i16x8.extend_low_i8x16_s (local.get $x)))
          (local.set $high (i16x8.extend_high_i8x16_s (local.get $x)))
          (v128.store (local.get $to) (f32x4.add (v128.load (local.get $to))
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $low))))))
          (v128.store offset=16 (local.get $to) (f32x4.add (v128.load offset=16 (local.get $to))
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $low))))))
          (v128.store offset=32 (local.get $to) (f32x4.add (v128.load offset=32 (local.get $to))
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_low_i16x8_s (local.get $high))))))
          (v128.store offset=48 (local.get $to) (f32x4.add (v128.load offset=48 (local.get $to))
            (f32x4.mul (local.get $weight) (f32x4.convert_i32x4_s (i32x4.extend_high_i16x8_s (local.get $high))))))
          (local.set $row (i32.add (local.get $row) (i32.const 16)))
          (local.set $to (i32.add (local.get $to) (i32.const 64)))
          (br_if $next_lane (i32.lt_u (local.get $row) (local.get $end))))
        (local.set $pairs (i32.add (local.get $pairs) (i32.const 8)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next_pair)))))
