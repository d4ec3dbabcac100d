import type { Crew } from '../data.ts'
import { FinishWithout } from '../FinishWithout.tsx'
import { treatTexts } from './treatTexts.ts'

/** A crew is never held at a lawn: it finishes without a complete record and says why, and the office reads it. */
export const NoRecordPart = ({ crew, onFinish }: { crew: Crew; onFinish: (why: string) => void }) => {
  const t = treatTexts[crew.language]
  const words = {
    open: t.finishWithout,
    why: t.whyWithout,
    hint: t.whyHint,
    needed: t.whyNeeded,
    finish: t.finishWithoutNow,
  }
  return <FinishWithout words={words} onFinish={onFinish} />
}
