import { useQuery } from '@tanstack/react-query'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { mergesApi } from '../contract.ts'
import { duplicatesQuery } from './data.ts'

const sameness = { email: 'e-mail', phone: 'phone', address: 'address' } as const

type Props = { customer: { id: string; archivedAt: string | null }; onMerge: (goneId: string) => void }

/** Says that somebody in the list looks like this customer. */
export const DuplicateHint = ({ customer, onMerge }: Props) => {
  const may = useMay()
  const asks = may(mergesApi.merge) && customer.archivedAt === null
  const found = useQuery({ ...duplicatesQuery(customer.id), enabled: asks })
  const [one, ...rest] = (found.data?.items ?? []).filter(({ archived }) => !archived)
  if (!asks || !one) return null
  return (
    <Banner
      tone="info"
      title={`${one.name} has the same ${one.matches.map((match) => sameness[match]).join(' and ')}.`}
      action={
        <Button calls={mergesApi.merge} size="s" onClick={() => onMerge(one.customerId)}>
          Look and merge
        </Button>
      }
    >
      {rest.length > 0 ? `And ${rest.length} more. ` : ''}Two records of one customer can become one.
    </Banner>
  )
}
