import { useEffect, useState } from 'react'
import { relativeTime } from './relativeTime.ts'

/** "2 h ago"; the exact time with its zone on hover. Keeps itself up to date. */
export const RelativeTime = ({ at, timeZone }: { at: string | number | Date; timeZone?: string }) => {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const date = new Date(at)
  const exact = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'long',
    ...(timeZone ? { timeZone } : {}),
  }).format(date)
  return (
    <time dateTime={date.toISOString()} title={exact} className="num">
      {relativeTime(date.getTime(), now)}
    </time>
  )
}
