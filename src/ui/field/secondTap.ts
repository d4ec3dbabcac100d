import type { MouseEvent } from 'react'

/** With gloves one tap becomes two: the second comes within this time, this close to the first. */
const secondTapMs = 400
const nearPx = 48

let pointer = ''
if (typeof window !== 'undefined')
  window.addEventListener(
    'pointerup',
    ({ pointerType }) => {
      pointer = pointerType
    },
    { capture: true },
  )

let last = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0 }

/** Whether a click is the second half of a doubled tap or click. A keyboard has none. */
const isSecond = ({ detail, timeStamp, clientX, clientY }: MouseEvent): boolean => {
  if (detail === 0) return false
  const { at, x, y } = last
  last = { at: timeStamp, x: clientX, y: clientY }
  if (detail > 1) return true
  const near = Math.abs(clientX - x) < nearPx && Math.abs(clientY - y) < nearPx
  return pointer === 'touch' && near && timeStamp - at < secondTapMs
}

/**
 * For `onClickCapture` of what changes under the finger: after "Start" there stands "Finish", after "Finish" the next lawn's "Start". The second half
 * of a doubled tap was never meant for it.
 */
export const dropSecondTap = (event: MouseEvent): void => {
  if (!isSecond(event)) return
  event.preventDefault()
  event.stopPropagation()
}
