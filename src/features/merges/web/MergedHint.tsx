import { useQuery } from '@tanstack/react-query'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { mergesApi } from '../contract.ts'
import { undoableMergesQuery, useMerge } from './data.ts'

/** Says what was merged into this record lately, and takes it back. */
export const MergedHint = ({ customer }: { customer: { id: string; archivedAt: string | null } }) => {
  const may = useMay()
  const { timeZone } = useUser().business
  const asks = may(mergesApi.undo) && customer.archivedAt === null
  const found = useQuery({ ...undoableMergesQuery(customer.id), enabled: asks })
  const { undo } = useMerge()
  const [merge] = found.data?.items ?? []
  if (!asks || !merge) return null
  const takeBack = () =>
    undo.mutate(merge.id, {
      onSuccess: ({ fieldsBack }) =>
        toast.message(
          fieldsBack
            ? 'They are two records again'
            : 'They are two records again. The kept one was changed since, so its fields stay as they are now.',
        ),
      onError: toast.error,
    })
  return (
    <Banner
      tone="info"
      title={`${merge.gone.name} was merged into this record on ${formatDay(dayOf(merge.at, timeZone))}${merge.byName ? ` by ${merge.byName}` : ''}.`}
      action={
        merge.refusal === null ? (
          <Button calls={mergesApi.undo} size="s" loading={undo.isPending} onClick={takeBack}>
            Take back
          </Button>
        ) : undefined
      }
    >
      {merge.refusal === null ? `This can be taken back until ${formatDay(merge.until)}.` : merge.refusal}
    </Banner>
  )
}
