-- What a phone said late stands in the trail of its week as it was said, also where it was cut.

alter table timesheet_changes drop constraint timesheet_changes_action_check;
alter table timesheet_changes add constraint timesheet_changes_action_check
  check (action in ('submitted', 'approved', 'returned', 'reopened', 'asked', 'answered', 'added', 'changed', 'removed', 'late'));
