import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'

/** Stands for a screen that somebody's role does not include, whoever led them there. */
export const NotInRole = ({ title }: { title: string }) => (
  <>
    <PageHeader title={title} />
    <EmptyState title="This is not part of your role" action={<Button href="/dashboard">To the dashboard</Button>}>
      {title} shows what work costs, and your role does not include money. Ask the owner of your business if you need
      it.
    </EmptyState>
  </>
)
