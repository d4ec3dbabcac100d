import { beforeEach, expect, test, vi } from 'vitest'
import { switchApp } from './switchApp.ts'

const reload = vi.fn()
const loadedAt = (path: string) =>
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ name: `http://swath.test${path}` }] as never)

beforeEach(() => {
  reload.mockClear()
  sessionStorage.clear()
  vi.stubGlobal('location', { pathname: '/pricing', reload })
})

test('two hand-overs within seconds both ask the server, when each comes from a document of another address', () => {
  loadedAt('/dashboard')
  expect([switchApp(), switchApp()]).toEqual([true, true])
  expect(reload).toHaveBeenCalledTimes(2)
})

test('a document that came for this address and is the wrong one again is not asked for for ever', () => {
  loadedAt('/pricing')
  expect([switchApp(), switchApp()]).toEqual([true, false])
  expect(reload).toHaveBeenCalledTimes(1)
})
