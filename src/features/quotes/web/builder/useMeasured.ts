import { useEffect, useEffectEvent, useRef } from 'react'
import type { Place } from './edit.ts'

/** Tells that a place was measured since the screen was opened: what waited for it is priced. */
export const useMeasured = (place: Place, onMeasured: (place: Place) => void): void => {
  const sizes = JSON.stringify([place.lawnSquareFeet, place.bedSquareFeet, place.edgeFeet])
  const seen = useRef(sizes)
  const tell = useEffectEvent(() => onMeasured(place))
  useEffect(() => {
    if (seen.current === sizes) return
    seen.current = sizes
    tell()
  }, [sizes])
}
