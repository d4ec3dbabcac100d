import { expect, test } from 'vitest'
import { isOwnPath, startOf } from './return-to.ts'

test.each([
  ['/customers?tab=manage', true],
  ['/', true],
  ['//evil.test/x', false],
  ['/\\evil.test', false],
  ['https://evil.test', false],
  ['javascript:alert(1)', false],
  ['/a\nb', false],
  ['', false],
])('%j is a page of ours: %s', (path, own) => expect(isOwnPath(path)).toBe(own))

test.each([
  ['Employee', '/employee-dashboard'],
  ['Admin', '/dashboard'],
  ['Owner', '/dashboard'],
] as const)('%s starts at %s', (role, start) => expect(startOf(role)).toBe(start))
