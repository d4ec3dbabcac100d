import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { FieldEmpty } from '../../../ui/field/FieldEmpty.tsx'
import { FieldSkeleton } from '../../../ui/field/FieldSkeleton.tsx'
import type { Texts } from './texts.ts'

/** What stands where this phone knows nothing yet: it loads, or it could not and offers to try again. */
export const NotLoaded = ({
  failed,
  title,
  t,
  onRetry,
}: {
  failed: boolean
  title: string
  t: Texts
  onRetry: () => void
}) =>
  failed ? (
    <FieldCard>
      <FieldEmpty
        title={title}
        action={
          <FieldButton kind="main" onClick={onRetry}>
            {t.tryAgain}
          </FieldButton>
        }
      >
        {t.failedText}
      </FieldEmpty>
    </FieldCard>
  ) : (
    <FieldSkeleton label={t.loading} />
  )
