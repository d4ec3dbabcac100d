import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { call } from '../../../shared/client.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { isTourPath } from '../../../shared/tour.ts'
import { sheetsApi } from '../../timeclock/sheets/contract.ts'
import { isSheetCommand } from '../rules.ts'
import type { Crew } from './data.ts'

export type OwnSheets = ResponseOf<typeof sheetsApi.own>

/** The number goes up when what is kept has another shape: a phone that was away reads only what it understands. */
const keyOf = (userId: string): string => `swath-sheets-1:${userId}`

/** What this phone last loaded, or null. */
const kept = (userId: string): OwnSheets | null => {
  if (isTourPath(window.location.pathname)) return null
  try {
    return JSON.parse(localStorage.getItem(keyOf(userId)) ?? 'null') as OwnSheets | null
  } catch {
    return null
  }
}

const keep = (userId: string, sheets: OwnSheets): void => {
  if (isTourPath(window.location.pathname)) return
  try {
    localStorage.setItem(keyOf(userId), JSON.stringify(sheets))
  } catch {
    // A full phone shows the weeks only with a signal.
  }
}

/** One's own weeks: from the server, without a signal as they were last, with what waits on this phone. */
export const useOwnSheets = (crew: Crew) => {
  const { userId } = crew.outbox
  const waiting = useMemo(
    () =>
      crew.state.commands.flatMap(({ command, state }) =>
        state === 'waiting' && isSheetCommand(command.type) ? [command] : [],
      ),
    [crew.state.commands],
  )
  const { data, isError, refetch } = useQuery({
    queryKey: ['timeclock', 'own', userId],
    queryFn: async ({ signal }) => {
      const sheets = await call(
        sheetsApi.own,
        {},
        { signal: AbortSignal.any([signal, AbortSignal.timeout(15_000)]), retries: 0 },
      )
      keep(userId, sheets)
      return sheets
    },
    refetchInterval: 300_000,
  })
  // What left the phone has changed a week.
  const left = waiting.length
  useEffect(() => {
    if (left === 0) void refetch()
  }, [left, refetch])
  const before = useMemo(() => kept(userId), [userId])
  const sheets = data ?? before
  return { sheets, waiting, isOld: !data || isError, failed: isError && !sheets, retry: () => void refetch() }
}
