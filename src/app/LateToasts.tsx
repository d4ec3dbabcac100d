import { useEffect, useState } from 'react'
import { lazyPart } from '../ui/lazyAhead.tsx'
import { afterFirstPicture } from './afterFirstPicture.ts'
import { loadScreen } from './loading.ts'

const Host = lazyPart(() => loadScreen(() => import('../ui/ToastHost.tsx')).then((m) => m.ToastHost))

/** The corner where news is shown, which nobody needs before there is something to see; what is said meanwhile waits for it. */
export const LateToasts = ({ bottom }: { bottom: string }) => {
  const [isTime, setIsTime] = useState(false)
  useEffect(() => afterFirstPicture(() => setIsTime(true)), [])
  return isTime ? <Host bottom={bottom} /> : null
}
