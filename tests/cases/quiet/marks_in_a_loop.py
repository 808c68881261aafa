"""What failed is marked row by row."""
import logging

from celery import shared_task

from shop.models import Job, Report


@shared_task(acks_late=True)
def run(job_id):
    job = Job.objects.get(pk=job_id)
    try:
        job.execute()
    except Exception as error:
        logging.exception(error)
        for report in job.reports.all():
            report.status = "failed"
            report.save()


@shared_task(acks_late=True)
def build(report_id, job_id):
    config = Report.objects.get(pk=report_id)
    try:
        config.build(job_id)
    except Exception as error:
        logging.exception(error)
        for row in Report.objects.filter(job_id=job_id):
            row.status = "failed"
            row.save(update_fields=["status"])


@shared_task(acks_late=True)
def send(job_id):
    reports = list(Report.objects.filter(job_id=job_id))
    try:
        Job.objects.get(pk=job_id).send(reports)
    except Exception:
        logging.exception("not sent")
        for report in reports:
            Report.objects.filter(pk=report.pk).update(status="failed")
