import { useEffect, useMemo, useState } from 'react'
import { toast } from '../../../../ui/toast.tsx'
import type { Crew } from '../data.ts'
import { hasRoom, photosOf } from '../photo.ts'

export type Shot = { id: string; takenAt: string; blob: Blob }

/** Photos that are taken on a sheet and kept with what it says; each with an address to show it by. */
export const useShots = (crew: Crew, most: number) => {
  const [shots, setShots] = useState<Shot[]>([])
  const [busy, setBusy] = useState(false)
  const urls = useMemo(() => shots.map(({ blob }) => URL.createObjectURL(blob)), [shots])
  useEffect(
    () => () => {
      for (const url of urls) URL.revokeObjectURL(url)
    },
    [urls],
  )
  const take = async (files: readonly File[]) => {
    if (!(await hasRoom())) return void toast.error(crew.t.noRoom)
    setBusy(true)
    try {
      const taken = await photosOf(files)
      setShots((now) => [...now, ...taken].slice(0, most))
    } catch {
      toast.error(crew.t.notSaved)
    } finally {
      setBusy(false)
    }
  }
  return { shots, urls, busy, take }
}
