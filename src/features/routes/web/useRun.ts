import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { call } from '../../../shared/client.ts'
import { onProgress } from '../../../shared/progress.ts'
import { toast } from '../../../ui/toast.tsx'
import type { RouteProgress, RouteRun, routesApi } from '../contract.ts'
import { routesApi as api } from '../contract.ts'
import { currentRunQuery, planStep, runQuery } from './data.ts'

type Body<K extends 'optimize' | 'rain' | 'crewOut'> = z.input<(typeof routesApi)[K]['body']>
export type RunRequest =
  | { kind: 'optimize'; body: Body<'optimize'> }
  | { kind: 'rain'; body: Body<'rain'> }
  | { kind: 'crewOut'; body: Body<'crewOut'> }

const start = async (input: RunRequest): Promise<RouteRun> => {
  if (input.kind === 'optimize') return (await call(api.optimize, { body: input.body })).run
  if (input.kind === 'rain') return (await call(api.rain, { body: input.body })).run
  return (await call(api.crewOut, { body: input.body })).run
}

const isOver = (run: RouteRun | undefined): boolean => run !== undefined && run.status !== 'running'

/**
 * The search that a day is part of, whoever started it, in whatever tab: followed by the stream of events, and by asking again when the stream is
 * away. `onEnd` is called once for each search that this screen saw running.
 */
export const useRun = (day: string, onEnd: (run: RouteRun, mine: boolean) => void) => {
  const client = useQueryClient()
  const [followed, setFollowed] = useState<string | null>(null)
  const [progress, setProgress] = useState<RouteProgress | null>(null)
  const [settling, setSettling] = useState(false)
  const mine = useRef(new Set<string>())
  const ended = useRef(new Set<string>())
  const current = useQuery(currentRunQuery(day))
  const found = current.data?.run ?? null
  const id = found?.status === 'running' ? found.id : followed
  const own = useQuery({ ...runQuery(id ?? ''), enabled: id !== null })
  const run = id === null ? undefined : (own.data ?? (found?.id === id ? found : undefined))

  useEffect(() => {
    if (found?.status === 'running') setFollowed(found.id)
  }, [found])
  useEffect(
    () =>
      onProgress((update) => {
        if (update.runId === id) setProgress(update as unknown as RouteProgress)
      }),
    [id],
  )
  const end = useRef(onEnd)
  end.current = onEnd
  useEffect(() => {
    if (!run || !isOver(run) || followed !== run.id || ended.current.has(run.id)) return
    ended.current.add(run.id)
    setFollowed(null)
    setProgress(null)
    setSettling(true)
    // What opens on it is not left blank until the answer is asked for again.
    if (run.status === 'proposed') client.setQueryData(currentRunQuery(day).queryKey, { run })
    void client.invalidateQueries({ queryKey: ['routes'] }).finally(() => setSettling(false))
    end.current(run, mine.current.has(run.id))
  }, [run, followed, client, day])

  const begin = useMutation({
    mutationFn: start,
    onSuccess: (started) => {
      mine.current.add(started.id)
      client.setQueryData(runQuery(started.id).queryKey, started)
      setProgress(null)
      setFollowed(started.id)
    },
    onError: (error) => toast.error(error),
  })
  const stop = useMutation({
    mutationFn: (runId: string) => call(api.stopRun, { params: { id: runId } }),
    onError: (error) => toast.error(error),
  })
  const refresh = () => client.invalidateQueries({ queryKey: ['routes'] })
  const apply = useMutation({
    ...planStep,
    mutationFn: ({ id: runId, tell }: { id: string; tell: boolean }) =>
      call(api.applyRun, { params: { id: runId }, body: { tell } }),
    onSuccess: refresh,
    onError: (error) => {
      toast.error(error)
      return refresh()
    },
  })
  const dismiss = useMutation({
    mutationFn: (runId: string) => call(api.dismissRun, { params: { id: runId } }),
    onSuccess: refresh,
    onError: (error) => toast.error(error),
  })
  const searching = run?.status === 'running' ? run : null
  return {
    searching,
    progress: searching && progress?.runId === searching.id ? progress : null,
    /** The server did not answer when it was asked how the search is. */
    stale: searching !== null && own.isError,
    /** It is over, and the day as it left it is not there yet. */
    settling: settling || (run !== undefined && isOver(run) && followed === run.id),
    proposal: found?.status === 'proposed' ? found : null,
    begin,
    stop,
    apply,
    dismiss,
  }
}
