import { useEffect, useState } from 'react'
import { useIsAsked } from './asking.ts'

/** After this long a person begins to wonder. */
export const wonderMs = 4_000

/** Says beside a button that is waited for that nothing is lost, once the wait gets long; not while the person is asked something. */
export const StillWaiting = () => {
  const [long, setLong] = useState(false)
  const asked = useIsAsked()
  useEffect(() => {
    setLong(false)
    if (asked) return
    const timer = setTimeout(() => setLong(true), wonderMs)
    return () => clearTimeout(timer)
  }, [asked])
  return (
    <span className="ui-button__still" role="status">
      {long ? 'This takes longer than usual. Nothing is lost; it goes on by itself.' : ''}
    </span>
  )
}
