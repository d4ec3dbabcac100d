import { useState } from 'react'
import { ApiError } from '#src/shared/client.ts'
import { Avatar } from '../Avatar.tsx'
import { Banner } from '../Banner.tsx'
import { Button } from '../Button.tsx'
import { Card } from '../Card.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { ErrorState } from '../ErrorState.tsx'
import { FilterChips } from '../FilterChips.tsx'
import { LoadMore } from '../LoadMore.tsx'
import { Progress } from '../Progress.tsx'
import { RelativeTime } from '../RelativeTime.tsx'
import { SavedViews } from '../SavedViews.tsx'
import { SearchInput } from '../SearchInput.tsx'
import { CardSkeleton, PanelSkeleton, TableSkeleton } from '../Skeleton.tsx'

const wide = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 340px), 1fr))',
  gap: 16,
} as const

export const StatesPage = () => {
  const [chips, setChips] = useState<string[]>(['late'])
  return (
    <main style={{ padding: 'min(28px, 4vw)', maxWidth: 1240, display: 'grid', gap: 16 }}>
      <h1 className="ui-hidden">States</h1>
      <div style={{ display: 'flex', gap: 10, flexWrap: 'wrap', alignItems: 'center' }}>
        <SearchInput value="" onChange={() => undefined} label="Find a customer" slash />
        <FilterChips
          label="State"
          values={chips}
          onChange={setChips}
          chips={[
            { value: 'late', label: 'Overdue', count: 12 },
            { value: 'sent', label: 'Sent' },
            { value: 'paid', label: 'Paid', count: 231 },
          ]}
        />
      </div>
      <SavedViews
        currentId="b"
        views={[
          { id: 'a', name: 'All', count: 417 },
          { id: 'b', name: 'Over 30 days', count: 12 },
        ]}
        onSave={() => undefined}
        menu={() => [{ label: 'Rename' }]}
      />
      <div style={wide}>
        <Card flush>
          <EmptyState
            title="No jobs yet"
            action={
              <>
                <Button kind="primary">Add the first job</Button>
                <Button>Import a CSV</Button>
              </>
            }
          >
            Jobs you add here repeat by themselves and land on the crews' days.
          </EmptyState>
        </Card>
        <Card flush>
          <EmptyState picture="mowed" title="All mowed">
            Nothing waits for you today.
          </EmptyState>
        </Card>
        <Card flush>
          <EmptyState picture="search" title="Nothing fits these filters" action={<Button>Clear the filters</Button>} />
        </Card>
        <Card flush>
          <ErrorState
            error={
              new ApiError('internal', 'Something went wrong on our side. Nothing was lost.', 500, {
                requestId: 'req_4Kq81',
              })
            }
            onRetry={() => undefined}
          />
        </Card>
      </div>
      <Banner tone="error" title="The import stopped at row 212." action={<Button>See the 3 rows</Button>}>
        211 customers are in; nothing was lost.
      </Banner>
      <Banner tone="done" title="38 invoices sent." onClose={() => undefined} />
      <Banner>Prices change on Monday for 14 jobs.</Banner>
      <Card title="Work">
        <div style={{ display: 'grid', gap: 14 }}>
          <Progress label="Sending invoices" value={26} max={38} detail="26 of 38" />
          <Progress label="Planning" value={60} tone="now" />
          <div style={{ display: 'flex', gap: 8, alignItems: 'center' }}>
            <Avatar name="Dana Whitfield" />
            <Avatar name="Ana Lopez" />
            <Avatar name="Pete" />
            <RelativeTime at={Date.now() - 7300e3} />
          </div>
        </div>
      </Card>
      <CardSkeleton count={4} />
      <div style={wide}>
        <Card title="Invoices" flush>
          <TableSkeleton rows={4} columns={4} />
        </Card>
        <Card>
          <PanelSkeleton />
        </Card>
      </div>
      <LoadMore hasMore={false} loading={false} onMore={() => undefined} shown={50} total={417} />
    </main>
  )
}
